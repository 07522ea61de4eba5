import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { LAST_SEAL, SEAL } from '../seal/seals.ts';
import { verifiedRow } from '../signing/rows.ts';
import { getItem, queryItems, type Table } from '../table.ts';

/** The beginning of the sort keys of findings. */
export const FINDING = 'FINDING#';

/** A problem that was found. */
export interface Finding {
  /** When it was found: ISO 8601 in UTC. */
  readonly at: string;
  /** Key of a row, or of an object of the sealed log. */
  readonly subject: string;
  /** One sentence. */
  readonly problem: string;
}

/** All findings, in the order of their times. */
const readFindings = async (table: Table): Promise<Finding[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.auditSeal, ':start': FINDING },
  };
  const rows = await Array.fromAsync(queryItems(table, query));
  return rows
    .map(({ at, subject, problem }) => ({
      at: String(at),
      subject: String(subject),
      problem: String(problem),
    }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
};

/** Up to when the audit log is sealed, and what was found. */
export interface IntegrityStatus {
  /** The last object of the sealed log; null before the first, and if its row does not verify. */
  readonly sealed: { readonly number: number; readonly at: string; readonly to: string } | null;
  /** Number of findings that are kept: as long as audit entries. */
  readonly findings: number;
  readonly firstFinding: Finding | null;
  readonly lastFinding: Finding | null;
}

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
