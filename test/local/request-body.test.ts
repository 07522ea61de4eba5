import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { readBody } from '../../local/request-body.ts';
import { withServer } from '../support/server.ts';

const served = withServer(() => undefined);

/** A request that announces ten bytes and has sent `body`. */
const receive = async (body: string): Promise<{ request: IncomingMessage; client: Socket }> => {
  const { hostname, port } = new URL(served.url);
  const client = connect(Number(port), hostname);
  const received = once(served.server, 'request');
  client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n${body}`);
  const [request] = (await received) as [IncomingMessage];
  return { request, client };
};

test('a body is read to its end, and is undefined beyond the limit', async () => {
  expect(String(await readBody((await receive('0123456789')).request, 10))).toBe('0123456789');
  expect(await readBody((await receive('0123456789')).request, 9)).toBeUndefined();
});

test('it rejects if the connection closes before the end, or before it is read', async () => {
  const { request, client } = await receive('01234');
  const read = readBody(request, 10);
  client.destroy();
  await expect(read).rejects.toThrow();
  const later = await receive('01234');
  const closed = new Promise((resolve) => later.request.on('error', () => undefined).once('close', resolve));
  later.client.destroy();
  await closed;
  await expect(readBody(later.request, 10)).rejects.toThrow('The connection was closed.');
});
