import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { IntegrityError } from '../../core/errors.ts';
import { toEntry } from '../../core/seal/entries.ts';
import { auditChange, SYSTEM } from '../audit.ts';
import { LAST_SEAL, SEAL } from '../seal/seals.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { StreamRecord } from '../stream.ts';
import { getItem, type Key, type Table } from '../table.ts';
import { onlyIf, transactIf } from '../transactions.ts';
import { type IntegrityCheck, type Problem, signedRowProblem } from './signed-rows.ts';
import { FINDING } from './status.ts';

const DAY_SECONDS = 86_400;
const AUDIT = [PARTITIONS.auditChange, PARTITIONS.auditRead, PARTITIONS.auditRefusal];

/** A read is sealed long before. The log keeps it, so how long the table does is of no importance. */
const SEALED_DAYS = 1;

const isDue = (ttl: unknown, at: unknown, days: number): boolean =>
  typeof ttl === 'number' && ttl >= Math.floor(Date.parse(String(at)) / 1000) + days * DAY_SECONDS;

/** The lowest number of days that audit entries were ever kept, according to the last seal. */
const shortestDays = async (table: Table): Promise<number> => {
  const { auditDays } = table.settings;
  const item = await getItem(table, LAST_SEAL);
  try {
    return item === undefined ? auditDays : verifiedRow(table, SEAL, LAST_SEAL, item).shortestDays;
  } catch {
    return auditDays;
  }
};

/** Whether a row is an audit entry, or the mark of a finding, which is kept for as long. */
const isKept = ({ pk, sk }: Key): boolean =>
  AUDIT.some((start) => pk.startsWith(start)) || (pk === PARTITIONS.auditSeal && sk.startsWith(FINDING));

/**
 * An audit entry never changes, and only its expiry removes it: by the service, and not before the days that entries
 * are kept, for a read not before it is sealed. The same holds for findings, which the audit screen counts. Returns what is wrong with a record, with the
 * entry as it was. Errors: `unavailable`.
 */
const auditRowProblem: IntegrityCheck = async (table, { key, before, after, expired }) => {
  if (before === undefined || !isKept(key)) return undefined;
  const entry = toEntry(before).line;
  if (after !== undefined) return { problem: 'An audit entry was changed.', details: { entry } };
  if (!expired) return { problem: 'An audit entry was removed.', details: { entry } };
  if (isDue(before.ttl, before.at, table.settings.auditDays)) return undefined;
  if (key.pk.startsWith(PARTITIONS.auditRead) && isDue(before.ttl, before.at, SEALED_DAYS)) return undefined;
  // Entries that were written under a shorter setting keep their expiry.
  if (isDue(before.ttl, before.at, await shortestDays(table))) return undefined;
  return { problem: 'An audit entry expired before its time.', details: { entry } };
};

/** The rules that each record of the stream is checked against. */
const CHECKS: readonly IntegrityCheck[] = [auditRowProblem, signedRowProblem];

export interface IntegrityFinding extends Problem {
  /** Identifies the finding: reporting it again adds no other. */
  readonly id: string;
  /** Key of a row, or of an object of the sealed log. */
  readonly subject: string;
}

const nameOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;

// A row that does not verify must not stop the stream.
const problemIn = async (check: IntegrityCheck, table: Table, record: StreamRecord) => {
  try {
    return await check(table, record);
  } catch (error) {
    if (error instanceof IntegrityError) return { problem: error.message };
    throw error;
  }
};

/** What records of the stream reveal. Errors: `unavailable`. */
export const integrityFindings = async (table: Table, records: readonly StreamRecord[]) => {
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
    at: now.toISOString(),
    subject,
    problem,
    ttl: expiresAfter(now, table.settings.auditDays),
  };
  await transactIf(table, [{ put: { Item, ...onlyIf() } }, auditChange(table, change, entry)]);
};
