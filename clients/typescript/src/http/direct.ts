import { builtin } from '../platform.ts';
import type { Reply } from './reply.ts';

type Http = Pick<typeof import('node:http'), 'Agent' | 'request'>;

interface Init {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * A fetch for addresses of this machine: with a proxy in the environment, a runtime's own fetch would send the API key to
 * that proxy. Undefined in a runtime without Node's modules.
 */
export const directFetch = (address: string): ((url: string, init: Init) => Promise<Reply>) | undefined => {
  const http = builtin<Http>(address.startsWith('https:') ? 'node:https' : 'node:http');
  const stream = builtin<typeof import('node:stream')>('node:stream');
  if (http === undefined || stream === undefined) return undefined;
  const agent = new http.Agent({ keepAlive: true });
  return (url, { body, ...init }) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, { ...init, agent }, (response) => {
        const get = (name: string) => response.headers[name]?.toString() ?? null;
        const content = stream.Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>;
        const arrayBuffer = () => new Response(content).arrayBuffer();
        resolve({ status: response.statusCode ?? 0, headers: { get }, body: content, arrayBuffer });
      });
      request.on('error', reject);
      // As with fetch: the timers of the call hold the process.
      request.on('socket', (socket) => socket.unref());
      request.end(body);
    });
};
