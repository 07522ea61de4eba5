import { isDeepStrictEqual } from 'node:util';
import type { BackupRecord } from '../../../contract/backup.ts';
import { VERSION_PATTERN } from '../../../contract/fields/patterns.ts';
import { TABLE } from '../../../contract/table.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { auditChange, type Change } from '../audit.ts';
import { putDeletion } from '../prompts/deletions.ts';
import { draftKeys } from '../prompts/drafts.ts';
import { recordIncluded } from '../prompts/fragments.ts';
import { PROMPT_HEAD, type PromptHead, promptPartition, readPromptHead } from '../prompts/head.ts';
import { putHead, signedVersion } from '../prompts/row-writes.ts';
import { isTombstone, PROMPT_VERSION, VERSION, versionKey } from '../prompts/versions.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { onlyIf, transactIf } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { backupItem } from './records.ts';
import { isSameRow, type Outcome } from './restored.ts';

type RowRecord = Extract<BackupRecord, { type: 'prompt-row' }>;
type PromptRecord = Extract<BackupRecord, { type: 'prompt' }>;

/** Sort keys of the unsigned rows of a prompt: example values and events. */
const UNSIGNED = /^(EXAMPLES|EVENT#\d{4}-\d\d-\d\dT[\d:.]+Z#\w+)$/;

/** The row at the key that follows from the prompt and its own content; undefined if it is of no known kind. */
const rowOf = async (table: Table, { promptId, item }: RowRecord): Promise<(Item & Key) | undefined> => {
  const { [TABLE.index.partitionKey]: _, [TABLE.index.sortKey]: __, ...fields } = item;
  if (item.sk === 'DRAFT') return { ...fields, ...draftKeys(promptId) };
  if (UNSIGNED.test(item.sk)) return { ...fields, pk: promptPartition(promptId), sk: item.sk };
  const version = String(item.version);
  if (!item.sk.startsWith(VERSION) || !VERSION_PATTERN.test(version)) return undefined;
  const key = versionKey(promptId, version);
  return isTombstone(item)
    ? { ...fields, ...key, promptId }
    : {
        ...(await signedVersion(table, { ...PROMPT_VERSION.fromItem(item), promptId })),
        ...key,
      };
};

/** Adds a row. What exists at its key stays, above all a published version. */
const restoreRow = async (table: Table, record: RowRecord): Promise<Outcome[]> => {
  const skipped = { kind: 'row of a prompt', id: record.promptId, name: record.item.sk };
  const row = await rowOf(table, record);
  if (row === undefined) return [skipped];
  if (await putItemIf(table, { Item: row, ...onlyIf() })) return [];
  const found = await getItem(table, { pk: row.pk, sk: row.sk });
  return found && isDeepStrictEqual(backupItem(found), backupItem(row)) ? [] : [skipped];
};

const restoreHead = async (
  table: Table,
  change: Change,
  { promptId: id, name, item }: PromptRecord,
  existing: PromptHead | undefined,
): Promise<Outcome> => {
  const head = { ...PROMPT_HEAD.fromItem(item), promptId: id };
  const kept = { kind: 'prompt', id, name };
  if (promptIdOf(head.name) !== id) return kept;
  if (existing !== undefined) return isSameRow(PROMPT_HEAD, existing, head) ? 'unchanged' : kept;
  const { deletedAt, versions } = head;
  // A deleted prompt that still has its versions can be restored, and is purged later.
  const deletion =
    deletedAt === undefined || versions === 0 ? [] : [putDeletion({ promptId: id, name, deletedAt })];
  const details = { version: head.latest, ...(deletedAt === undefined ? {} : { deletedAt }) };
  const isWritten = await transactIf(table, [
    await putHead(table, head, undefined),
    ...deletion,
    ...recordIncluded(head, undefined),
    auditChange(table, change, { action: 'prompt.import', subject: id, name: head.name, details }),
  ]);
  return isWritten ? 'written' : kept;
};

/**
 * Restores prompts that do not exist. Their heads are written last: until then, nobody sees an incomplete prompt. Keys
 * are derived from what is restored, never taken from the backup, and what exists stays.
 * Errors: `integrity`, `unavailable`.
 */
export const restorePrompts = async (
  table: Table,
  change: () => Change,
  rows: readonly RowRecord[],
  heads: readonly PromptRecord[],
): Promise<Outcome[]> => {
  const ids = [...new Set([...rows, ...heads].map(({ promptId }) => promptId))];
  const existing = new Map(
    await inParallel(ids, async (id) => [id, await readPromptHead(table, id)] as const),
  );
  const missing = rows.filter(({ promptId }) => existing.get(promptId) === undefined);
  const skipped = await inParallel(missing, (record) => restoreRow(table, record));
  const restored = await inParallel(heads, (record) =>
    restoreHead(table, change(), record, existing.get(record.promptId)),
  );
  return [...skipped.flat(), ...restored];
};
