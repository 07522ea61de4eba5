import { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { connectTable } from '../../lambdas/store/connect.ts';
import type { Table } from '../../lambdas/store/table.ts';

/** A call of DynamoDB takes "single-digit milliseconds" (Amazon DynamoDB, product page). */
export const DELAY_MS = 5;

/** A table whose calls are answered after 5 ms by `replyOf`, so that only the work of its client is measured. */
export const delayedTable = (replyOf: (action: string, body: Record<string, unknown>) => object): Table => {
  const handle = async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
    const action = headers['x-amz-target']?.split('.')[1] ?? '';
    const reply = replyOf(action, JSON.parse(Buffer.from(body).toString()));
    await later(DELAY_MS);
    const json = { statusCode: 200, headers: { 'content-type': 'application/x-amz-json-1.0' } };
    return { response: { ...json, body: Readable.from([Buffer.from(JSON.stringify(reply))]) } };
  };
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  return connectTable({}, { region: 'eu-central-1', credentials, requestHandler: { handle } as never });
};
