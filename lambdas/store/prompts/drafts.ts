import { isDeepStrictEqual } from 'node:util';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { draftsSave } from '../../../contract/endpoints/versions.ts';
import { INDEX_PARTITIONS, TABLE } from '../../../contract/table.ts';
import { CuevaultError, isCuevaultError } from '../../core/errors.ts';
import { contentOnly } from '../../core/prompts/contents.ts';
import { OBJECT_FIELDS, type PromptContent } from '../../core/prompts/prompts.ts';
import { auditChange, type Change, commitChange, stamp, transactChange } from '../audit.ts';
import { unsignedKind } from '../queries.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { onlyIf, type Write } from '../transactions.ts';
import { promptPartition } from './head.ts';
import { readLiveHead } from './lookups.ts';
import { checkLive } from './row-writes.ts';

/** The unpublished text of a prompt's next version, shared by all operators. */
export interface PromptDraft extends PromptContent {
  /** The version that the draft is based on. */
  readonly baseVersion?: string | undefined;
  /** Changes with every save; send back the one you have read. */
  readonly rev: number;
  readonly savedAt: string;
  readonly savedBy: string;
}

export const draftKey = (promptId: string): Key => ({ pk: promptPartition(promptId), sk: 'DRAFT' });

/** The keys of a prompt's draft, those of the index included, by which lists find it. */
export const draftKeys = (promptId: string): Item & Key => ({
  ...draftKey(promptId),
  [TABLE.index.partitionKey]: INDEX_PARTITIONS.drafts,
  [TABLE.index.sortKey]: promptId,
});

/** How drafts are stored. */
export const DRAFT = unsignedKind<PromptDraft>('metaProperties', ...OBJECT_FIELDS);

const toItem = (promptId: string, draft: PromptDraft): Item => ({
  ...draftKeys(promptId),
  listed: JSON.stringify({ savedAt: draft.savedAt, savedBy: draft.savedBy }),
  ...DRAFT.toItem(draft),
});

/** Reads the draft of a prompt, if it has one. */
export const readDraft = async (table: Table, promptId: string): Promise<PromptDraft | undefined> => {
  const item = await getItem(table, draftKey(promptId));
  return item && DRAFT.fromItem(item);
};

const draftMoved = () =>
  new CuevaultError(
    'changed_meanwhile',
    'The draft was saved or removed by someone else in the meantime. Reload it and repeat your change.',
  );

/** Removes the draft in the transaction of another change, if `rev` is still that of the draft. */
export const removeDraft = (promptId: string, rev: number): Write => ({
  remove: { Key: draftKey(promptId), ...onlyIf({ rev }) },
  onConditionFailed: draftMoved,
});

/** Removes the draft in the transaction of another change, whatever its `rev`. */
export const discardDraft = (promptId: string): Write => ({ remove: { Key: draftKey(promptId) } });

export type DraftInput = PromptContent & Pick<InputOf<typeof draftsSave.body>, 'baseVersion' | 'rev'>;

/** Whether two drafts have the same content and operator. */
const isSame = (...drafts: readonly [PromptDraft, PromptDraft]) => {
  const [first, second] = drafts.map((draft) =>
    JSON.parse(JSON.stringify({ ...draft, rev: 0, savedAt: '' })),
  );
  return isDeepStrictEqual(first, second);
};

/** Saves within this time of each other belong to the same editing session. */
const SESSION_MS = 30 * 60_000;

const isSameSession = ({ actor, at }: Change, earlier: PromptDraft | undefined) =>
  earlier?.savedBy === actor.name && at.getTime() - Date.parse(earlier.savedAt) < SESSION_MS;

/**
 * Saves the draft of a prompt. Only the first save of an editing session writes an audit entry, because the admin UI
 * saves automatically every few seconds. Repeating a save whose reply was lost succeeds like the first time.
 */
export const saveDraft = async (
  table: Table,
  change: Change,
  promptId: string,
  { rev: seen, baseVersion, ...content }: DraftInput,
): Promise<PromptDraft> => {
  const [{ name }, earlier] = await Promise.all([readLiveHead(table, promptId), readDraft(table, promptId)]);
  const draft = {
    ...contentOnly(content),
    baseVersion,
    // Counting starts at the current time, so that a `rev` of an earlier draft never matches a later one. It continues
    // from the stored one, because the caller can send any number.
    rev: ((seen === undefined ? undefined : earlier?.rev) ?? change.at.getTime()) + 1,
    ...stamp(change, 'saved'),
  };
  try {
    await transactChange(table, change, [
      checkLive(promptId),
      {
        put: { Item: toItem(promptId, draft), ...onlyIf(seen === undefined ? undefined : { rev: seen }) },
        onConditionFailed: draftMoved,
      },
      ...(isSameSession(change, earlier)
        ? []
        : [auditChange(table, change, { action: 'draft.save', subject: promptId, name })]),
    ]);
    return draft;
  } catch (error) {
    const stored = isCuevaultError(error, 'changed_meanwhile') ? await readDraft(table, promptId) : undefined;
    if (stored === undefined || !isSame(stored, draft)) throw error;
    return stored;
  }
};

/** Removes the draft of a prompt. With `rev`, only that one. */
export const deleteDraft = async (
  table: Table,
  change: Change,
  promptId: string,
  { rev }: { readonly rev?: number | undefined } = {},
): Promise<void> => {
  const [{ name }, draft] = await Promise.all([readLiveHead(table, promptId), readDraft(table, promptId)]);
  if (draft === undefined)
    throw new CuevaultError('draft_not_found', 'The prompt has no draft. Save one first.');
  const entry = { action: 'draft.delete', subject: promptId, name };
  await commitChange(table, change, entry, [checkLive(promptId), removeDraft(promptId, rev ?? draft.rev)]);
};
