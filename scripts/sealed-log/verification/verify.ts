import { DAY_MS, dayOf, daysAfter, earlier, later } from '../../../lambdas/core/days.ts';
import { inParallel } from '../../../lambdas/core/parallel.ts';
import type { SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import { objectKey, type Seal, type SealedObject, sha256 } from '../../../lambdas/core/seal/sealed-object.ts';
import { openObject } from '../../../lambdas/store/seal/seals.ts';
import type { Verifier } from '../../../lambdas/store/signing/rows.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import {
  type Finding,
  finding,
  type LoggedObject,
  listingFindings,
  type NumberedObject,
  numbered,
} from './objects.ts';
import { checkLastRow, createRowCheck, type Range, rowsOutside, strayRows } from './table-check.ts';

interface Link {
  readonly seal: Seal;
  readonly digest: string;
}

const whyNotFirst = ({ number, from, shortestDays }: Seal, now: Date): string | undefined => {
  if (number === 1) return undefined;
  const kept = now.getTime() - Date.parse(from) > shortestDays * DAY_MS;
  return kept ? undefined : `The ${number - 1} objects before it are missing.`;
};

const whyNotNext = (before: Link, { previous, from }: Seal, afterGap: boolean): string | undefined => {
  if (previous === before.digest)
    return from === before.seal.to ? undefined : 'Its range does not follow the one before.';
  // What is missing or changed in between has been reported, and explains this.
  return afterGap ? undefined : 'It does not follow the object before it: the chain is forked.';
};

/**
 * Returns a function that checks objects one after the other, in the order of the chain: it returns the object if its
 * signature is valid, and what is wrong with it or its place in the chain. `isPart`: the first object to be checked need
 * not be the first of the log.
 */
const createLinkCheck = (verifier: Verifier, now: Date, isPart: boolean) => {
  let before: Link | undefined;
  let lastNumber: number | undefined;

  const whyWrong = ({ key }: NumberedObject, seal: Seal): string | undefined => {
    if (objectKey(seal) !== key) return `It is a copy of ${objectKey(seal)}.`;
    if (before === undefined) {
      // After an object that is not valid, nothing can be said about the one before.
      return isPart || lastNumber !== undefined ? undefined : whyNotFirst(seal, now);
    }
    return whyNotNext(before, seal, lastNumber !== before.seal.number || seal.number > lastNumber + 1);
  };

  return (object: NumberedObject, bytes: Buffer): SealedObject | Finding => {
    try {
      const opened = openObject(verifier, bytes);
      opened.entries();
      const problem = whyWrong(object, opened.seal);
      if (problem !== undefined) return finding('changed', object.key, problem);
      before = { seal: opened.seal, digest: sha256(bytes) };
      return opened;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return finding('changed', object.key, `It is not what was sealed: ${reason}.`);
    } finally {
      lastNumber = object.number;
    }
  };
};

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

/** The valid part of the log. */
const checkObjects = async (
  { verifier, now, table, onEntries }: VerifyOptions,
  selected: readonly NumberedObject[],
  isPart: boolean,
  range: Range,
) => {
  const check = createLinkCheck(verifier, now, isPart);
  const rows = table && createRowCheck(table, now);
  const findings: Finding[] = [];
  let objects = 0;
  let count = 0;
  let first: Seal | undefined;
  let last: Seal | undefined;
  for (let i = 0; i < selected.length; i += AT_ONCE) {
    const part = selected.slice(i, i + AT_ONCE);
    const read = await inParallel(part, async (object) => ({ object, bytes: await object.read() }));
    for (const { object, bytes } of read) {
      const opened = check(object, bytes);
      if ('problem' in opened) {
        findings.push(opened);
        continue;
      }
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
