import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '../../local/loopback.ts';

/** Serves on this machine during the tests of a file or `describe`, the address of which is known when they begin. */
export const withServer = (listener: RequestListener) => {
  const server = createServer(listener);
  const served = { server, url: '' };
  beforeAll(async () => {
    served.url = `http://${await listenOnLoopback(server)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return served;
};
