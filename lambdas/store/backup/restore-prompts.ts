import type { BackupItem, BackupRecord } from '../../../contract/backup.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { auditChange, type Change } from '../audit.ts';
import { putDeletion } from '../prompts/deletions.ts';
import { PROMPT_HEAD, type PromptHead, putHead, readHead } from '../prompts/head.ts';
import { PROMPT_VERSION } from '../prompts/versions.ts';
import { signedItem } from '../signing/rows.ts';
import { type Item, putItem, type Table, transact } from '../table.ts';
import { isSameRow, type Outcome } from './restored.ts';

type RowRecord = Extract<BackupRecord, { type: 'prompt-row' }>;
type PromptRecord = Extract<BackupRecord, { type: 'prompt' }>;

const isVersion = ({ sk, deletedAt }: BackupItem): boolean =>
  sk.startsWith('VERSION#') && deletedAt === undefined;

const toItem = (table: Table, item: BackupItem): Promise<Item> | Item =>
  isVersion(item) ? signedItem(table, PROMPT_VERSION, PROMPT_VERSION.fromItem(item)) : item;

const restoreHead = async (
  table: Table,
  change: Change,
  { promptId: id, name, item }: PromptRecord,
  existing: PromptHead | undefined,
): Promise<Outcome> => {
  const head = PROMPT_HEAD.fromItem(item);
  const kept = { kind: 'prompt', id, name };
  if (existing !== undefined) return isSameRow(PROMPT_HEAD, existing, head) ? 'unchanged' : kept;
  const { deletedAt, versions } = head;
  // A deleted prompt that still has its versions can be restored, and is purged later.
  const deletion =
    deletedAt === undefined || versions === 0 ? [] : [putDeletion({ promptId: id, name, deletedAt })];
  const details = { version: head.latest, ...(deletedAt === undefined ? {} : { deletedAt }) };
  try {
    await transact(table, [
      await putHead(table, head, undefined),
      ...deletion,
      auditChange(table, change, { action: 'prompt.import', subject: id, name, details }),
    ]);
    return 'written';
  } catch (error) {
    if (isCuevaultError(error, 'changed_meanwhile')) return kept;
    throw error;
  }
};

/**
 * Restores prompts that do not exist. Their heads are written last: until then, nobody sees an incomplete prompt.
 * Errors: `integrity`, `unavailable`.
 */
export const restorePrompts = async (
  table: Table,
  change: Change,
  rows: readonly RowRecord[],
  heads: readonly PromptRecord[],
): Promise<Outcome[]> => {
  const ids = [...new Set([...rows, ...heads].map(({ promptId }) => promptId))];
  const existing = new Map(await inParallel(ids, async (id) => [id, await readHead(table, id)] as const));
  const missing = rows.filter(({ promptId }) => existing.get(promptId) === undefined);
  await inParallel(missing, async ({ item }) => putItem(table, await toItem(table, item)));
  return inParallel(heads, (record) => restoreHead(table, change, record, existing.get(record.promptId)));
};
