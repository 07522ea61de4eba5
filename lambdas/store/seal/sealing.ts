import { encodeObject, objectKey, type Seal, sha256 } from '../../core/seal/sealed-object.ts';
import { SIGNATURE } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { type Chain, findChain, keepLast, type LogProblem } from './chain.ts';
import { type Pending, pendingEntries } from './pending.ts';
import type { SealedLog } from './sealed-log.ts';
import { SEAL } from './seals.ts';

/** Entries are sealed at this age. An entry's time is when it is written, or when its request of at most 30 seconds began. */
const SETTLED_MS = 5 * 60_000;

export interface SealReport {
  readonly objects: number;
  /** Number of entries in them. */
  readonly entries: number;
  /** Number of the last object, 0 if there is none. */
  readonly last: number;
  /** Whether another run added an object first; it continues. */
  readonly overtaken: boolean;
  readonly problems: readonly LogProblem[];
}

export interface SealOptions {
  readonly now: Date;
  /** Bytes of entries in one object, before compression. @default 32 MB */
  readonly mostBytes?: number | undefined;
}

/** Returns undefined if another run was faster. */
const addObject = async (table: Table, log: SealedLog, seal: Seal, compressed: Buffer) => {
  const signature = (await signedItem(table, SEAL, seal))[SIGNATURE] as Uint8Array;
  const signed = { ...seal, signature };
  const bytes = encodeObject(table.settings.stage, signed, compressed);
  if (!(await log.add(objectKey(seal), bytes))) return undefined;
  await keepLast(table, signed);
  return { seal: signed, digest: sha256(bytes) };
};

const nextSeal = (
  table: Table,
  { end, number, from }: Omit<Chain, 'problems'>,
  { compressed, entries, to }: Pending,
  now: Date,
): Seal => ({
  number,
  from,
  to,
  sealedAt: now.toISOString(),
  previous: end?.digest ?? '',
  entries,
  digest: sha256(compressed),
  shortestDays: Math.min(end?.seal.shortestDays ?? Number.POSITIVE_INFINITY, table.settings.auditDays),
});

/**
 * Seals the audit entries up to five minutes before `now`: adds one object to the log, or several if there are many
 * entries. It can be stopped at any point and run twice at once: the log never forks, and the next run continues.
 */
export const sealAudit = async (
  table: Table,
  log: SealedLog,
  { now, mostBytes }: SealOptions,
): Promise<SealReport> => {
  const to = new Date(now.getTime() - SETTLED_MS).toISOString();
  const chain = await findChain(table, log, now);
  if (chain === undefined) return { objects: 0, entries: 0, last: 0, overtaken: false, problems: [] };
  const { problems } = chain;
  let { end, number, from } = chain;
  let objects = 0;
  let entries = 0;
  let overtaken = false;
  while (from < to && !overtaken) {
    const pending = await pendingEntries(table, from, to, mostBytes);
    const seal = nextSeal(table, { end, number, from }, pending, now);
    const added = await addObject(table, log, seal, pending.compressed);
    if (added === undefined) overtaken = true;
    else {
      end = added;
      number++;
      from = seal.to;
      objects++;
      entries += seal.entries;
    }
  }
  return { objects, entries, last: end?.seal.number ?? 0, overtaken, problems };
};
