import { builtin } from '../platform.ts';
import { MOST_BYTES, type Reply, tooLong } from './reply.ts';

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
  if (http === undefined) return undefined;
  const agent = new http.Agent({ keepAlive: true });
  return (url, { body, ...init }) =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
      const request = http.request(url, { ...init, agent }, (response) => {
        const chunks: Uint8Array[] = [];
        let left = MOST_BYTES;
        response.on('data', (chunk: Uint8Array) => {
          chunks.push(chunk);
          left -= chunk.length;
          if (left >= 0) return;
          reject(tooLong());
          request.destroy();
        });
        response.on('error', fail);
        response.on('end', () => {
          const get = (name: string) => response.headers[name]?.toString() ?? null;
          const arrayBuffer = () => new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer();
          resolve({ status: response.statusCode ?? 0, headers: { get }, arrayBuffer });
        });
      });
      request.on('error', fail);
      request.end(body);
    });
};
