import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { IntegrityError } from '../../core/errors.ts';
import { auditChange, SYSTEM } from '../audit.ts';
import type { StreamRecord } from '../stream.ts';
import type { Key, Table } from '../table.ts';
import { onlyIf, transactIf } from '../transactions.ts';
import { auditRowProblem } from './audit-rows.ts';
import type { IntegrityCheck, Problem } from './problems.ts';
import { signedRowProblem } from './signed-rows.ts';
import { FINDING } from './status.ts';

/** The rules that each record of the stream is checked against. */
const CHECKS: readonly IntegrityCheck[] = [auditRowProblem, signedRowProblem];

/** A problem, with what it is about. */
export interface IntegrityFinding extends Problem {
  /** Identifies the finding: reporting it again adds no other. */
  readonly id: string;
  /** Key of a row, or of an object of the sealed log. */
  readonly subject: string;
}

const nameOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;

// A row that does not verify must not stop the stream.
const problemIn = async (
  check: IntegrityCheck,
  table: Table,
  record: StreamRecord,
): Promise<Problem | undefined> => {
  try {
    return await check(table, record);
  } catch (error) {
    if (error instanceof IntegrityError) return { problem: error.message };
    throw error;
  }
};

/** What records of the stream reveal. Errors: `unavailable`. */
export const integrityFindings = async (
  table: Table,
  records: readonly StreamRecord[],
): Promise<IntegrityFinding[]> => {
  const findings: IntegrityFinding[] = [];
  for (const record of records) {
    for (const check of CHECKS) {
      const problem = await problemIn(check, table, record);
      if (problem !== undefined)
        findings.push({ ...problem, id: record.sequence, subject: nameOf(record.key) });
    }
  }
  return findings;
};

/**
 * Writes the audit entry of a finding, from which its event follows, unless it was written before. Errors:
 * `unavailable`.
 */
export const reportFinding = async (
  table: Table,
  { id, subject, problem, details }: IntegrityFinding,
  now: Date,
): Promise<void> => {
  const change = { at: now, actor: SYSTEM, requestId: `integrity-${id}`, isAdmin: true };
  const entry = { action: 'integrity.fail', subject, name: subject, details: { problem, ...details } };
  const Item = {
    pk: PARTITIONS.auditSeal,
    sk: FINDING + id,
    ...{ at: now.toISOString(), subject, problem },
    ttl: expiresAfter(now, table.settings.auditDays),
  };
  await transactIf(table, [{ put: { Item, ...onlyIf() } }, auditChange(table, change, entry)]);
};
