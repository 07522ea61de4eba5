import { log } from '../log.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { type SignAgainReport, signAgain } from '../store/signing/sign-again.ts';
import type { Key } from '../store/table.ts';

const table = connectSigningTable();

/** The keys of the rows to sign again. */
interface Event {
  readonly rows: readonly Key[];
}

/** Signs rows again with the current key, if they verify. */
export const handler = async ({ rows }: Event): Promise<SignAgainReport> => {
  const report = await signAgain(table, rows);
  log(report.refused.length === 0 ? 'info' : 'error', 'rows signed again', { ...report });
  return report;
};
