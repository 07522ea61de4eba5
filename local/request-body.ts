import type { IncomingMessage } from 'node:http';

/** Reads the entire body of a request. Undefined if it is longer than `limit` bytes. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
  }
  return bytes > limit ? undefined : Buffer.concat(chunks);
};
