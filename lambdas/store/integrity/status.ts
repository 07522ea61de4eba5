import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { LAST_SEAL, SEAL } from '../seal/seals.ts';
import { verifiedRow } from '../signing/rows.ts';
import { getItem, queryItems, type Table } from '../table.ts';

/** The beginning of the sort keys of findings. */
export const FINDING = 'FINDING#';

const countFindings = async (table: Table): Promise<number> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.auditSeal, ':start': FINDING },
    ProjectionExpression: 'pk',
  };
  return (await Array.fromAsync(queryItems(table, query))).length;
};

/** How far the audit log is sealed, and what was found. */
export interface IntegrityStatus {
  /** The last object of the sealed log; null before the first, and if its row does not verify. */
  readonly sealed: { readonly number: number; readonly at: string; readonly to: string } | null;
  /** Number of findings that are kept: as long as audit entries. */
  readonly findings: number;
}

/** The state of the sealed log. Errors: `unavailable`. */
export const integrityStatus = async (table: Table): Promise<IntegrityStatus> => {
  const [item, findings] = await Promise.all([getItem(table, LAST_SEAL), countFindings(table)]);
  try {
    if (item === undefined) return { sealed: null, findings };
    const { number, sealedAt, to } = verifiedRow(table, SEAL, LAST_SEAL, item);
    return { sealed: { number, at: sealedAt, to }, findings };
  } catch (error) {
    if (error instanceof IntegrityError) return { sealed: null, findings };
    throw error;
  }
};
