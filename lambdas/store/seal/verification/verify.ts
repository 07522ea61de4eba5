import { dayOf, daysAfter, earlier, later } from '../../../core/days.ts';
import { inParallel } from '../../../core/parallel.ts';
import type { SealedEntry } from '../../../core/seal/entries.ts';
import type { Seal } from '../../../core/seal/sealed-object.ts';
import type { Verifier } from '../../signing/rows.ts';
import type { Table } from '../../table.ts';
import { createLinks } from './links.ts';
import {
  type Finding,
  type LoggedObject,
  listingFindings,
  type NumberedObject,
  numbered,
} from './objects.ts';
import { createRowCheck } from './rows.ts';
import { checkLastRow, type Range, rowsOutside, strayRows } from './table-check.ts';

export interface VerifyOptions {
  readonly verifier: Verifier;
  readonly objects: readonly LoggedObject[];
  readonly now: Date;
  /** The table to compare. @default - only the log itself is verified */
  readonly table?: Table | undefined;
  /** First day (UTC). @default - the first that was sealed */
  readonly from?: string | undefined;
  /** Last day (UTC). @default - today */
  readonly to?: string | undefined;
  /** Receives the valid sealed entries of these days, in order. */
  readonly onEntries?: (entries: readonly SealedEntry[]) => void;
}

export interface Verification {
  readonly findings: readonly Finding[];
  /** Number of valid objects that were read. */
  readonly objects: number;
  /** Number of entries in them, of the requested days. */
  readonly entries: number;
  /** The last valid seal. */
  readonly last: Seal | undefined;
  /** Number of rows that are too young to be sealed. */
  readonly pending: number;
}

/** Objects that are read at once. */
const AT_ONCE = 32;

const clip = (seal: Range, { from, to }: Range): Range => ({
  from: later(seal.from, from),
  to: earlier(seal.to, to),
});

/** The objects that can hold entries of the range, with the one before them, which the first of them names. */
const chosen = (chain: readonly NumberedObject[], { from, to }: Range): readonly NumberedObject[] => {
  const isEarlier = ({ key }: NumberedObject) => key.slice(0, 10) < from.slice(0, 10);
  const isLater = ({ key }: NumberedObject) => key.slice(0, 10) > to.slice(0, 10);
  const start = chain.filter(isEarlier).length;
  return chain.slice(Math.max(0, start - 2)).filter((object) => !isLater(object));
};

/** The valid part of the log, entries included. */
interface Checked {
  readonly findings: Finding[];
  readonly objects: number;
  readonly entries: number;
  readonly first: Seal | undefined;
  readonly last: Seal | undefined;
}

const checkObjects = async (
  { verifier, now, table, onEntries }: VerifyOptions,
  selected: readonly NumberedObject[],
  isPart: boolean,
  range: Range,
): Promise<Checked> => {
  const links = createLinks(verifier, now, isPart);
  const rows = table && createRowCheck(table, now);
  const findings: Finding[] = [];
  let [objects, count] = [0, 0];
  let first: Seal | undefined;
  let last: Seal | undefined;
  for (let i = 0; i < selected.length; i += AT_ONCE) {
    const part = selected.slice(i, i + AT_ONCE);
    const read = await inParallel(part, async (object) => ({ object, bytes: await object.read() }));
    for (const { object, bytes } of read) {
      const { opened, findings: wrong } = links.check(object, bytes);
      findings.push(...wrong);
      if (opened === undefined) continue;
      first ??= opened.seal;
      last = opened.seal;
      objects += 1;
      const asked = clip(opened.seal, range);
      if (asked.from >= asked.to) continue;
      const entries = opened.entries().filter(({ sk }) => sk >= asked.from && sk < asked.to);
      count += entries.length;
      onEntries?.(entries);
      findings.push(...((await rows?.add(asked, entries)) ?? []));
    }
  }
  findings.push(...((await rows?.flush()) ?? []));
  return { findings, objects, entries: count, first, last };
};

/**
 * Verifies the sealed log, and compares the table with it: what is missing, changed or unsealed. It only reads. Errors:
 * those of the reads.
 */
export const verifyAudit = async (options: VerifyOptions): Promise<Verification> => {
  const { objects, now, table } = options;
  const oldest = table === undefined ? '' : dayOf(daysAfter(now, -table.settings.auditDays));
  const range = { from: options.from ?? oldest, to: `${options.to ?? dayOf(now)}~` };
  const { chain, findings } = numbered(objects);
  const selected = chosen(chain, { ...range, from: options.from ?? '' });
  const checked = await checkObjects(options, selected, selected[0] !== chain[0], range);
  const found = [...findings, ...listingFindings(chain), ...checked.findings];
  const { first, last } = checked;
  const result = { objects: checked.objects, entries: checked.entries, last };
  if (table === undefined) return { ...result, findings: found, pending: 0 };
  const isEnd = selected.at(-1) === chain.at(-1);
  const lastRow = isEnd ? await checkLastRow(table, { chain, last }) : undefined;
  const until = { ...range, to: earlier(range.to, now.toISOString()) };
  const sealed = {
    from: first?.number === 1 ? first.from : undefined,
    to: later(last?.to ?? '', lastRow?.seal?.to ?? ''),
  };
  const outside = await rowsOutside(table, until, sealed, now);
  const stray = await strayRows(table, until, sealed.from);
  return {
    ...result,
    findings: [...found, ...(lastRow?.findings ?? []), ...outside.findings, ...stray],
    pending: outside.pending,
  };
};
