import type { IncomingMessage } from 'node:http';

/**
 * Reads the entire body of a request. Undefined if it is longer than `limit` bytes. Rejects if the connection closes
 * first.
 */
export const readBody = (request: IncomingMessage, limit: number): Promise<Buffer | undefined> =>
  // With listeners, because iterating over a request takes three times as long.
  new Promise((resolve, reject) => {
    const closed = () => reject(new Error('The connection was closed.'));
    if (request.destroyed) return closed();
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
    });
    request.once('end', () => resolve(bytes > limit ? undefined : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.readableEnded) closed();
    });
  });

/** The JSON value in a body; undefined if it is not JSON. */
export const parsedJson = (body: Buffer | string): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};
