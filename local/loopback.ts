import { randomInt } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { StartError } from './start-error.ts';

/** A random address of the loopback network 127.0.0.0/8. */
const randomAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;

/** Makes a server listen at an address, on a free port unless one is given. Returns the port. */
const listen = (server: Server, host: string, port = 0): Promise<number> =>
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
export const freeLoopback = async () => {
  const server = createServer();
  const [host = '', port = ''] = (await listenOnLoopback(server)).split(':');
  await new Promise((resolve) => server.close(resolve));
  return { host, port };
};

/** Where to listen. */
export interface Listening {
  /** 0 takes any free one. */
  readonly port: number;
  /** @default - the loopback addresses only */
  readonly host?: string | undefined;
}

/** The address for browsers. */
export const originAt = (port: number): string => new URL(`http://localhost:${port}`).origin;

const WITHOUT_IPV6: readonly (string | undefined)[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
const TRIES = 10;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const IPV6 = '::1';

/** The addresses to listen on, so that 127.0.0.1 always answers. */
const addressesFor = (host: string | undefined): readonly string[] => {
  if (host === '::') return [host];
  if (host === '0.0.0.0') return [host, IPV6];
  return [...new Set(['127.0.0.1', IPV6, ...(host === undefined ? [] : [host])])];
};

const closeAll = (servers: readonly Server[]) =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));

/**
 * Listens on the loopback addresses 127.0.0.1 and, if there is IPv6, ::1, because browsers try either first, and on the
 * given address. Port 0 takes one that is free on all. Returns a server for each address, and the port. Errors: `StartError` if the port is taken on one of them or cannot be used.
 */
export const listenOnLocalhost = async (handler: RequestListener, { port: wanted, host }: Listening) => {
  for (let tries = 1; ; tries += 1) {
    const servers: Server[] = [];
    let port = wanted;
    try {
      for (const address of addressesFor(host)) {
        const server = createServer(handler);
        try {
          port = await listen(server, address, port);
          servers.push(server);
        } catch (error) {
          if (address !== IPV6 || !WITHOUT_IPV6.includes(codeOf(error))) throw error;
        }
      }
      return { servers, port };
    } catch (error) {
      await closeAll(servers);
      const isTaken = codeOf(error) === 'EADDRINUSE';
      // A port that is free on one address may be taken on the other.
      if (wanted === 0 && isTaken && tries < TRIES) continue;
      throw isTaken
        ? new StartError(`Port ${wanted} is taken: stop what uses it, or set PORT to another one.`)
        : new StartError(`Port ${wanted} cannot be used: ${(error as Error).message}.`);
    }
  }
};
