import { Agent, request } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { REGION } from '../aws/account.ts';
import { ENGINE_CREDENTIALS } from './table.ts';

export interface EngineReply {
  readonly status: number;
  readonly body: Buffer;
}

// The engine requires a signature but does not check it; DynamoDB Local reads the key id and the region from it.
export const SIGNATURE = {
  'x-amz-date': '20000101T000000Z',
  authorization: `AWS4-HMAC-SHA256 Credential=${ENGINE_CREDENTIALS.accessKeyId}/20000101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
};

/** Calls the engine over persistent connections. A call rejects if the engine cannot be reached. */
export const connectEngine = (endpoint: string) => {
  const agent = new Agent({ keepAlive: true });
  // Once: parsing the address with every call takes longer than sending it.
  const address = urlToHttpOptions(new URL(endpoint));
  const call = (target: string, body: string | Uint8Array): Promise<EngineReply> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...SIGNATURE,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
        'x-amz-target': target,
      };
      const sent = request({ ...address, method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 500, body: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { call, stop: () => agent.destroy() };
};

export type EngineCalls = ReturnType<typeof connectEngine>;
