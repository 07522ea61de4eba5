import { parseEntry, type SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import { LAST_SEAL, openObject } from '../../../lambdas/store/seal/seals.ts';
import { type Item, type Key, putItem } from '../../../lambdas/store/table.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import type { Random } from '../random.ts';
import { objectAt, type Sealed, subjectOf, type Tamperings } from './sealed.ts';

const rowOf = ({ line }: SealedEntry): Item & Key => JSON.parse(line) as Item & Key;
const anEntry = ({ entries }: Sealed, random: Random): SealedEntry =>
  entries[random(entries.length)] ?? parseEntry('{}');
const restore =
  ({ table }: Sealed, row: Item) =>
  () =>
    putItem(table, row);

/** Adds a row that is made of an entry. */
const adding =
  (make: (row: Item & Key, random: Random) => Item & Key): Tamperings[string] =>
  async (sealed, random) => {
    const added = make(rowOf(anEntry(sealed, random)), random);
    await putItem(sealed.table, added);
    const undo = () => deleteItem(sealed.table, { pk: added.pk, sk: added.sk });
    return { found: [subjectOf(added)], undo };
  };

const ROW_EDITS: readonly ((row: Item, random: Random) => Item)[] = [
  (row) => ({ ...row, requestId: `${String(row.requestId)}x` }),
  (row, random) => ({ ...row, ttl: Number(row.ttl) - 1 - random(100_000_000) }),
  (row) => ({ ...row, added: true }),
  (row) => ({ ...row, at: String(row.at).replace('Z', '0Z') }),
  ({ ttl: _, ...row }) => row,
  (row) => ('filter' in row ? { ...row, filter: { tags: new Set(['a', 'b']) } } : { ...row, details: '{}' }),
];

/** Tamperings with the audit entries in the table, and with the row of the last seal. */
export const ROW_TAMPERINGS: Tamperings = {
  'a row is removed': async (sealed, random) => {
    const row = rowOf(anEntry(sealed, random));
    await deleteItem(sealed.table, { pk: row.pk, sk: row.sk });
    return { found: [subjectOf(row)], undo: restore(sealed, row) };
  },
  'a row is changed': async (sealed, random) => {
    const row = rowOf(anEntry(sealed, random));
    const edit = ROW_EDITS[random(ROW_EDITS.length)];
    await putItem(sealed.table, { ...edit?.(row, random), pk: row.pk, sk: row.sk });
    return { found: [subjectOf(row)], undo: restore(sealed, row) };
  },
  'a row is added': adding((row) => ({ ...row, sk: `${row.sk}x` })),
  'a row is added outside the time of its partition': adding((row, random) => ({
    ...row,
    sk: `${['2001-01-01', '2030-01-01', 'x'][random(3)]}#${row.sk}`,
  })),
  'a row is added before the first seal': adding((row) => ({
    ...row,
    pk: 'AUDIT-CHANGE#2026-03',
    sk: '2026-03-31T03:00:00.000Z#x',
  })),
  'two rows are exchanged': async (sealed, random) => {
    const changes = sealed.entries.filter(({ pk }) => pk === 'AUDIT-CHANGE#2026-03');
    const first = random(changes.length - 1);
    const one = changes[first];
    const other = changes[first + 1 + random(changes.length - first - 1)];
    const rows = [one, other].map((entry) => rowOf(entry ?? parseEntry('{}')));
    const [a, b] = rows as [Item & Key, Item & Key];
    await putItem(sealed.table, { ...b, pk: a.pk, sk: a.sk });
    await putItem(sealed.table, { ...a, pk: b.pk, sk: b.sk });
    return {
      found: rows.map(subjectOf),
      undo: () => Promise.all(rows.map((row) => putItem(sealed.table, row))),
    };
  },
  'a row moves to another time': async (sealed, random) => {
    const row = rowOf(anEntry(sealed, random));
    const [time = '', ...rest] = row.sk.split('#');
    const moved = { ...row, sk: [time.replace(/\d\dZ/, '01Z'), ...rest].join('#') };
    await deleteItem(sealed.table, { pk: row.pk, sk: row.sk });
    await putItem(sealed.table, moved);
    const undo = async () => {
      await deleteItem(sealed.table, { pk: moved.pk, sk: moved.sk });
      await putItem(sealed.table, row);
    };
    return { found: [subjectOf(row), subjectOf(moved)], undo };
  },
  'the row with the last seal is removed, forged or set back': async (sealed, random) => {
    const former = openObject(sealed.table, objectAt(sealed, random(sealed.objects.length - 2)).bytes).seal;
    const how = random(3);
    if (how === 0) await deleteItem(sealed.table, LAST_SEAL);
    else await putItem(sealed.table, how === 1 ? { ...sealed.last, number: 3 } : { ...LAST_SEAL, ...former });
    return { found: [subjectOf(LAST_SEAL)], undo: restore(sealed, sealed.last) };
  },
};
