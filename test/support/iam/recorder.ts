import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { judge } from '../../../local/functions/accesses.ts';
import { type OnCall, PERMISSIONS } from '../../../local/functions/functions.ts';
import { MARK } from '../../../scripts/processes.ts';

/** A call that a function has made. */
export interface RecordedCall {
  readonly operationId: string;
  readonly target: string;
  readonly body: unknown;
}

/** The file in the folder of a test run that has the first call of each kind, one in a line. */
export const recordedCalls = (folder: string): string => path.join(folder, 'calls.jsonl');

const known = new Set<string>();

/** Records a call while `npm test` runs, for `test/infra/permissions/recorded-calls.ts`. */
export const recordCall: OnCall = (operationId, target, body) => {
  const { [MARK]: folder } = process.env;
  if (folder === undefined) return;
  const judged = judge(PERMISSIONS[operationId] ?? {}, target, body);
  const { EncryptionContext } = body as { readonly EncryptionContext?: unknown };
  const kind = JSON.stringify([operationId, target, 'used' in judged && [...judged.used], EncryptionContext]);
  if (known.has(kind)) return;
  known.add(kind);
  const call: RecordedCall = { operationId, target, body };
  appendFileSync(recordedCalls(folder), `${JSON.stringify(call)}\n`);
};
