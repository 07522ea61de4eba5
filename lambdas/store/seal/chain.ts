import { ifGenuine } from '../../core/errors.ts';
import {
  decodeObject,
  isSameSeal,
  numberIn,
  objectKey,
  type Seal,
  type SealedObject,
  sha256,
} from '../../core/seal/sealed-object.ts';
import { oldestChange } from '../audit-log.ts';
import { verifiedIfFound } from '../signing/rows.ts';
import { toItem } from '../signing/writes.ts';
import { getItem, putItem, type Table } from '../table.ts';
import { putItemIf } from '../updates.ts';
import type { SealedLog } from './sealed-log.ts';
import { LAST_SEAL, openObject, SEAL } from './seals.ts';

export interface ChainEnd {
  readonly seal: Seal;
  /** SHA-256 of its object, in hex; empty if the object is gone. */
  readonly digest: string;
}

/** What is wrong with the sealed log, in one sentence, and the object that it is about. */
export interface LogProblem {
  readonly subject: string;
  readonly problem: string;
}

type LastRow = Awaited<ReturnType<typeof readLastRow>>;

/** The row with the last seal: as it was read, and its seal if it verifies. */
const readLastRow = async (table: Table) => {
  const item = await getItem(table, LAST_SEAL);
  return { item, seal: await ifGenuine(async () => verifiedIfFound(table, SEAL, LAST_SEAL, item)) };
};

const quietly = (read: () => SealedObject): Seal | undefined => {
  try {
    return read().seal;
  } catch {
    return undefined;
  }
};

/** The valid object with the highest key. It is looked for only if the row with the last seal is unusable. */
const findLast = async (table: Table, log: SealedLog): Promise<ChainEnd | undefined> => {
  const keys = await Array.fromAsync(log.keys());
  for (const key of keys.reverse()) {
    const bytes = numberIn(key) === undefined ? undefined : await log.read(key);
    const seal = bytes && quietly(() => openObject(table, bytes));
    if (bytes !== undefined && seal !== undefined) return { seal, digest: sha256(bytes) };
  }
  return undefined;
};

/** The end of the chain according to the row. */
const startOf = async (table: Table, log: SealedLog, { seal }: LastRow) => {
  if (seal === undefined) return { end: await findLast(table, log), problems: [] };
  const key = objectKey(seal);
  const bytes = await log.read(key);
  // The row vouches for the object: after a change of the signing key, only the row has a signature of the new one.
  if (
    bytes &&
    isSameSeal(
      seal,
      quietly(() => decodeObject(bytes)),
    )
  )
    return { end: { seal, digest: sha256(bytes) }, problems: [] };
  const problem =
    bytes === undefined ? 'The object is missing.' : 'The object is not the one that was sealed.';
  return { end: { seal, digest: '' }, problems: [{ subject: key, problem }] };
};

/**
 * Finds the end of the chain, or returns undefined if there is nothing to seal yet. The row names the last seal; a
 * crashed run may have added objects after it. Foreign objects are reported and skipped, because nobody can remove
 * them. Moves the row to the end.
 */
export const findChain = async (table: Table, log: SealedLog, now: Date) => {
  const row = await readLastRow(table);
  const started = await startOf(table, log, row);
  let { end } = started;
  let from = end?.seal.to ?? (await oldestChange(table, now));
  if (from === undefined) return undefined;
  const problems = [...started.problems];
  let number = (end?.seal.number ?? 0) + 1;
  for (; ; number++) {
    const key = objectKey({ number, from });
    const bytes = await log.read(key);
    if (bytes === undefined) break;
    const seal = quietly(() => openObject(table, bytes));
    if (seal?.number === number && seal.previous === (end?.digest ?? '')) {
      end = { seal, digest: sha256(bytes) };
      from = seal.to;
    } else {
      problems.push({ subject: key, problem: 'The object was not written by audit-seal.' });
    }
  }
  if (end !== undefined && end.seal.number !== row.seal?.number) await keepLast(table, end.seal, row);
  return { end, number, from, problems };
};

/** Where the next object goes: its number, and the start of its range of time. */
export type Chain = NonNullable<Awaited<ReturnType<typeof findChain>>>;

/** Moves the row to a seal, unless it is already there or further. A row that does not verify is replaced. */
export const keepLast = async (table: Table, seal: Seal, row?: LastRow): Promise<void> => {
  const Item = toItem(SEAL, seal);
  if (row?.item !== undefined && row.seal === undefined) return putItem(table, Item);
  await putItemIf(table, {
    Item,
    ConditionExpression: 'attribute_not_exists(pk) OR #number < :number',
    ExpressionAttributeNames: { '#number': 'number' },
    ExpressionAttributeValues: { ':number': seal.number },
  });
};
