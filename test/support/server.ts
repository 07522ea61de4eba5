import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '../../local/loopback.ts';

/** Serves on a free port of this machine until it is stopped, which ends its connections too. */
export const serve = async (listener: RequestListener) => {
  const server = createServer(listener);
  const url = `http://${await listenOnLoopback(server)}`;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { server, url, stop };
};

/** Serves during the tests of a file or `describe`, the address of which is known when they begin. */
export const withServer = (listener: RequestListener) => {
  const served = { url: '' } as Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    Object.assign(served, await serve(listener));
  });
  afterAll(() => served.stop());
  return served;
};
