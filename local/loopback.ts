import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** A random address of the loopback network 127.0.0.0/8. */
const randomAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;

/** Makes a server listen at an address, on a free port unless one is given. Returns the port. */
export const listen = (server: Server, host: string, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

/**
 * Makes a server listen on a free port of a random loopback address, or of 127.0.0.1 if no other works, and returns
 * `host:port`.
 */
export const listenOnLoopback = async (server: Server): Promise<string> => {
  try {
    const host = randomAddress();
    return `${host}:${await listen(server, host)}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error;
    return `127.0.0.1:${await listen(server, '127.0.0.1')}`;
  }
};

/** Finds a loopback address and port on which another process can listen. */
export const freeLoopback = async (): Promise<{ readonly host: string; readonly port: string }> => {
  const server = createServer();
  const [host = '', port = ''] = (await listenOnLoopback(server)).split(':');
  await new Promise((resolve) => server.close(resolve));
  return { host, port };
};
