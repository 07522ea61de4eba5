import type { BackupRecord, SignedFields } from '../../../contract/shapes/backup.ts';
import { IntegrityError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { PROMPT_HEAD } from '../prompts/head.ts';
import { LABEL_PROTECTION } from '../prompts/protection.ts';
import { PROMPT_VERSION } from '../prompts/versions.ts';
import { keyOfItem } from '../queries.ts';
import { type RowOf, type SignedKind, verifiedRow } from '../signing/rows.ts';
import type { Item, Table } from '../table.ts';
import { placeOf, type RowPlace } from './restored.ts';

/** The kinds of signed rows that are backed up, by the types of their records. Operators are never among them. */
const KINDS = {
  'protected-labels': LABEL_PROTECTION,
  'api-key': API_KEY,
  version: PROMPT_VERSION,
  prompt: PROMPT_HEAD,
} as const;

export type SignedType = keyof typeof KINDS;
type Row<Type extends SignedType> = RowOf<(typeof KINDS)[Type]>;

const kindOf = <Type extends SignedType>(type: Type) => KINDS[type] as unknown as SignedKind<Row<Type>>;

/** The record of a row, or of its refusal if it does not verify. */
export const recordOf = (table: Table, type: SignedType, item: Item): BackupRecord => {
  const key = keyOfItem(item);
  try {
    return { type, row: verifiedRow(table, kindOf(type), key, item) as unknown as SignedFields };
  } catch (error) {
    if (error instanceof IntegrityError) return { type: 'refused', ...key };
    throw error;
  }
};

/** What the records of a type contain. */
export const rowsOfType = <Type extends SignedType>(
  records: readonly BackupRecord[],
  type: Type,
): readonly Row<Type>[] =>
  records.flatMap((record) =>
    record.type === type && 'row' in record ? [record.row as unknown as Row<Type>] : [],
  );

/** What is at the place of a backed up row, which follows from its content. */
export const placeOfRow = <Type extends SignedType>(
  table: Table,
  type: Type,
  row: Row<Type>,
): Promise<RowPlace<Row<Type>>> => placeOf(table, kindOf(type), kindOf(type).keyOf(row));
