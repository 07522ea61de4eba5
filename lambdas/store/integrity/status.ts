import type { integrityShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { rowsFrom } from '../queries.ts';
import { LAST_SEAL, SEAL } from '../seal/seals.ts';
import { verifiedRow } from '../signing/rows.ts';
import { getItem, type Table } from '../table.ts';

/** The beginning of the sort keys of findings. */
export const FINDING = 'FINDING#';

/** Up to when the audit log is sealed, and what was found. */
export type IntegrityStatus = ReplyOf<typeof integrityShape>;

/** All findings, in the order of their times. */
const readFindings = async (table: Table): Promise<NonNullable<IntegrityStatus['firstFinding']>[]> => {
  const rows = await Array.fromAsync(rowsFrom(table, PARTITIONS.auditSeal, FINDING));
  return rows
    .map(({ at, subject, problem }) => ({
      at: String(at),
      subject: String(subject),
      problem: String(problem),
    }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
};

/** The state of the sealed log. Errors: `unavailable`. */
export const integrityStatus = async (table: Table): Promise<IntegrityStatus> => {
  const [item, found] = await Promise.all([getItem(table, LAST_SEAL), readFindings(table)]);
  const [firstFinding = null] = found;
  const findings = { findings: found.length, firstFinding, lastFinding: found.at(-1) ?? null };
  try {
    if (item === undefined) return { sealed: null, ...findings };
    const { number, sealedAt, to } = verifiedRow(table, SEAL, LAST_SEAL, item);
    return { sealed: { number, at: sealedAt, to }, ...findings };
  } catch (error) {
    if (error instanceof IntegrityError) return { sealed: null, ...findings };
    throw error;
  }
};
