import { isDeepStrictEqual } from 'node:util';
import { VERSION_PATTERN } from '../../../contract/fields/patterns.ts';
import type { BackupRecord } from '../../../contract/shapes/backup.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { versionSortKey } from '../../core/prompts/prompts.ts';
import { auditChange, type Change } from '../audit.ts';
import { putDeletion } from '../prompts/deletions.ts';
import { draftKeys } from '../prompts/drafts.ts';
import { recordIncluded } from '../prompts/fragments.ts';
import { headKey, isAboveReserved, PROMPT_HEAD, type PromptHead, promptPartition } from '../prompts/head.ts';
import { signedVersion } from '../prompts/row-writes.ts';
import { isTombstone, PROMPT_VERSION, type PromptVersion, VERSION, versionKey } from '../prompts/versions.ts';
import { rowsFrom } from '../queries.ts';
import { signedItem } from '../signing/writes.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { onlyIf, transactIf } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { backupItem } from './records.ts';
import { isSameRow, type Outcome, placeOf, type RowPlace } from './restored.ts';
import { placeOfRow, recordOf } from './signed-records.ts';

type RowRecord = Extract<BackupRecord, { type: 'prompt-row' }>;

/** Sort keys of the unsigned rows of a prompt: example values and events. */
const UNSIGNED = /^(EXAMPLES|EVENT#\d{4}-\d\d-\d\dT[\d:.]+Z#\w+)$/;

/** The unsigned row at the key that follows from the prompt and its own content; undefined if it is of no known kind. */
const rowOf = ({ promptId, item }: RowRecord): (Item & Key) | undefined => {
  const fields = backupItem(item);
  if (item.sk === 'DRAFT') return { ...fields, ...draftKeys(promptId) };
  if (UNSIGNED.test(item.sk)) return { ...fields, pk: promptPartition(promptId) };
  const version = String(item.version);
  return isTombstone(item) && VERSION_PATTERN.test(version)
    ? { ...fields, ...versionKey(promptId, version), promptId }
    : undefined;
};

const skipped = (id: string, name: string): Outcome => ({ kind: 'row of a prompt', id, name });

/** Adds a row. What exists at its key stays. */
const restoreRow = async (table: Table, record: RowRecord): Promise<Outcome[]> => {
  const row = rowOf(record);
  if (row === undefined) return [skipped(record.promptId, record.item.sk)];
  if (await putItemIf(table, { Item: row, ...onlyIf() })) return [];
  const found = await getItem(table, { pk: row.pk, sk: row.sk });
  return found && isDeepStrictEqual(backupItem(found), backupItem(row))
    ? []
    : [skipped(record.promptId, record.item.sk)];
};

/** Whether a version may be one that a prompt had and lost: one of another prompt of the same name must not appear in it. */
const mayHaveLost = async (table: Table, head: PromptHead, version: string) => {
  if (versionSortKey(version) > versionSortKey(head.highest)) return false;
  const rows = await Array.fromAsync(rowsFrom(table, promptPartition(head.promptId), VERSION));
  const kept = rows.filter(
    (row) =>
      !isTombstone(row) &&
      isAboveReserved(head, String(row.version)) &&
      recordOf(table, 'version', row).type !== 'refused',
  );
  return kept.length < head.versions;
};

/** Adds a version. A published one, and the mark of a deleted one, stay; one that does not verify is replaced. */
const restoreVersion = async (
  table: Table,
  version: PromptVersion,
  head: PromptHead | undefined,
): Promise<Outcome[]> => {
  const left = skipped(version.promptId, `version ${version.version}`);
  if (!VERSION_PATTERN.test(version.version)) return [left];
  if (head !== undefined && !isAboveReserved(head, version.version)) return [];
  const existing = await getItem(table, PROMPT_VERSION.keyOf(version));
  if (existing !== undefined && isTombstone(existing)) return head === undefined ? [left] : [];
  const { found, condition } = await placeOfRow(table, 'version', version);
  if (found !== undefined) return isSameRow(PROMPT_VERSION, found, version) ? [] : [left];
  if (head !== undefined && !(await mayHaveLost(table, head, version.version))) return [];
  const isWritten = await putItemIf(table, { Item: await signedVersion(table, version), ...condition });
  if (!isWritten) return [left];
  return head === undefined ? [] : ['written'];
};

const restoreHead = async (
  table: Table,
  change: Change,
  head: PromptHead,
  { found, condition }: RowPlace<PromptHead>,
): Promise<Outcome> => {
  const { promptId: id, name, deletedAt, versions } = head;
  const kept = { kind: 'prompt', id, name };
  if (promptIdOf(name) !== id) return kept;
  if (found !== undefined) return isSameRow(PROMPT_HEAD, found, head) ? 'unchanged' : kept;
  // A deleted prompt that still has its versions can be restored, and is purged later.
  const deletion =
    deletedAt === undefined || versions === 0 ? [] : [putDeletion({ promptId: id, name, deletedAt })];
  const details = { version: head.latest, deletedAt };
  const isWritten = await transactIf(table, [
    { put: { Item: await signedItem(table, PROMPT_HEAD, head), ...condition } },
    ...deletion,
    ...recordIncluded(head, undefined),
    auditChange(table, change, { action: 'prompt.import', subject: id, name, details }),
  ]);
  return isWritten ? 'written' : kept;
};

interface PromptRecords {
  readonly rows: readonly RowRecord[];
  readonly versions: readonly PromptVersion[];
  readonly heads: readonly PromptHead[];
}

/**
 * Restores prompts that do not exist, and versions that existing ones lack. Heads are written last: until then, nobody
 * sees an incomplete prompt. Keys are derived from what is restored, never taken from the backup, and what exists and
 * verifies stays.
 */
export const restorePrompts = async (
  table: Table,
  change: () => Change,
  { rows, versions, heads }: PromptRecords,
): Promise<Outcome[]> => {
  const ids = [...new Set([...rows, ...versions, ...heads].map(({ promptId }) => promptId))];
  const existing = new Map(
    await inParallel(ids, async (id) => [id, await placeOf(table, PROMPT_HEAD, headKey(id))] as const),
  );
  const missing = rows.filter(({ promptId }) => existing.get(promptId)?.found === undefined);
  const restored = [
    ...(await inParallel(missing, (record) => restoreRow(table, record))),
    ...(await inParallel(versions, (version) =>
      restoreVersion(table, version, existing.get(version.promptId)?.found),
    )),
  ];
  const written = await inParallel(heads, async (head) =>
    restoreHead(table, change(), head, await placeOfRow(table, 'prompt', head)),
  );
  return [...restored.flat(), ...written];
};
