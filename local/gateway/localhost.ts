import { createServer, type RequestListener, type Server } from 'node:http';
import { StartError } from '../start-error.ts';

/** A server on each address of `localhost`, on one port. */
export interface Localhost {
  readonly servers: readonly Server[];
  readonly port: number;
}

/** The address for browsers. */
export const originAt = (port: number): string => new URL(`http://localhost:${port}`).origin;

const WITHOUT_IPV6: readonly (string | undefined)[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
const TRIES = 10;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

const listenOnBoth = async (handler: RequestListener, wanted: number): Promise<Localhost> => {
  const first = createServer(handler);
  const second = createServer(handler);
  const port = await listen(first, '127.0.0.1', wanted);
  try {
    await listen(second, '::1', port);
    return { servers: [first, second], port };
  } catch (error) {
    if (WITHOUT_IPV6.includes(codeOf(error))) return { servers: [first], port };
    await new Promise((resolve) => first.close(resolve));
    throw error;
  }
};

const tryPorts = async (handler: RequestListener, wanted: number, tries: number): Promise<Localhost> => {
  try {
    return await listenOnBoth(handler, wanted);
  } catch (error) {
    // A port that is free on one address may be taken on the other.
    if (wanted !== 0 || tries <= 1 || codeOf(error) !== 'EADDRINUSE') throw error;
    return tryPorts(handler, wanted, tries - 1);
  }
};

/**
 * Listens on the loopback addresses 127.0.0.1 and, if there is IPv6, ::1, because browsers try either first. 0 takes a
 * port that is free on both. Errors: `StartError` if the port is taken on either or cannot be used.
 */
export const listenOnLocalhost = async (handler: RequestListener, wanted: number): Promise<Localhost> => {
  try {
    return await tryPorts(handler, wanted, TRIES);
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE'
      ? new StartError(`Port ${wanted} is taken: stop what uses it, or set PORT to another one.`)
      : new StartError(`Port ${wanted} cannot be used: ${(error as Error).message}.`);
  }
};
