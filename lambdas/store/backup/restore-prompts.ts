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
import { headKey, isAboveReserved, PROMPT_HEAD, type PromptHead, promptPartition } from '../prompts/head.ts';
import { signedVersion } from '../prompts/row-writes.ts';
import { isTombstone, PROMPT_VERSION, VERSION, versionKey } from '../prompts/versions.ts';
import { signedItem } from '../signing/writes.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { onlyIf, transactIf } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { backupItem } from './records.ts';
import { isSameRow, type Outcome, type Place, placeOf } from './restored.ts';

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

/**
 * Adds a row. What exists at its key stays, above all a published version; one that does not verify is replaced. Of a
 * prompt that exists, only its versions are added.
 */
const restoreRow = async (
  table: Table,
  record: RowRecord,
  head: PromptHead | undefined,
): Promise<Outcome[]> => {
  const skipped = { kind: 'row of a prompt', id: record.promptId, name: record.item.sk };
  const row = await rowOf(table, record);
  if (row === undefined) return head === undefined ? [skipped] : [];
  const isVersion = row.sk.startsWith(VERSION) && !isTombstone(row);
  if (head !== undefined && !(isVersion && isAboveReserved(head, String(row.version)))) return [];
  const key = { pk: row.pk, sk: row.sk };
  const existing = await getItem(table, key);
  const { found, condition } =
    isVersion && !isTombstone(existing ?? {})
      ? await placeOf(table, PROMPT_VERSION, key)
      : { found: existing, condition: onlyIf() };
  if (found === undefined && (await putItemIf(table, { Item: row, ...condition })))
    return head === undefined ? [] : ['written'];
  if (head !== undefined) return [];
  const kept = await getItem(table, key);
  return kept && isDeepStrictEqual(backupItem(kept), backupItem(row)) ? [] : [skipped];
};

const restoreHead = async (
  table: Table,
  change: Change,
  { promptId: id, name, item }: PromptRecord,
  { found, condition }: Place<PromptHead>,
): Promise<Outcome> => {
  const head = { ...PROMPT_HEAD.fromItem(item), promptId: id };
  const kept = { kind: 'prompt', id, name };
  if (promptIdOf(head.name) !== id) return kept;
  if (found !== undefined) return isSameRow(PROMPT_HEAD, found, head) ? 'unchanged' : kept;
  const { deletedAt, versions } = head;
  // A deleted prompt that still has its versions can be restored, and is purged later.
  const deletion =
    deletedAt === undefined || versions === 0 ? [] : [putDeletion({ promptId: id, name, deletedAt })];
  const details = { version: head.latest, ...(deletedAt === undefined ? {} : { deletedAt }) };
  const isWritten = await transactIf(table, [
    { put: { Item: await signedItem(table, PROMPT_HEAD, head), ...condition } },
    ...deletion,
    ...recordIncluded(head, undefined),
    auditChange(table, change, { action: 'prompt.import', subject: id, name: head.name, details }),
  ]);
  return isWritten ? 'written' : kept;
};

/**
 * Restores prompts that do not exist. Their heads are written last: until then, nobody sees an incomplete prompt. Keys
 * are derived from what is restored, never taken from the backup, and what exists stays.
 */
export const restorePrompts = async (
  table: Table,
  change: () => Change,
  rows: readonly RowRecord[],
  heads: readonly PromptRecord[],
): Promise<Outcome[]> => {
  const ids = [...new Set([...rows, ...heads].map(({ promptId }) => promptId))];
  const places = new Map(
    await inParallel(ids, async (id) => [id, await placeOf(table, PROMPT_HEAD, headKey(id))] as const),
  );
  const restored = await inParallel(rows, (record) =>
    restoreRow(table, record, places.get(record.promptId)?.found),
  );
  const written = await inParallel(heads, (record) =>
    restoreHead(
      table,
      change(),
      record,
      places.get(record.promptId) ?? { found: undefined, condition: onlyIf() },
    ),
  );
  return [...restored.flat(), ...written];
};
