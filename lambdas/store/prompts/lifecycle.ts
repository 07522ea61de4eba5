import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptsCreate, promptsDelete } from '../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { checkNewPromptName } from '../../core/names.ts';
import type { PromptContent } from '../../core/prompts/prompts.ts';
import type { Source } from '../../core/prompts/sources.ts';
import { bumpVersion } from '../../core/prompts/versions.ts';
import { restorable, restorableUntil } from '../../core/restoring.ts';
import { type Change, stamp } from '../audit.ts';
import { readItems } from '../queries.ts';
import { verifiedIfFound } from '../signing/rows.ts';
import type { Key, Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { changeHead, changeLiveHead, type Plan } from './change.ts';
import { type Creator, countOfKeys, noteCreated, requireRoom } from './counts.ts';
import { putDeletion, removeDeletion } from './deletions.ts';
import { DRAFT, discardDraft, draftKey } from './drafts.ts';
import { discardExamples, EXAMPLES, examplesKey } from './examples.ts';
import { fragmentsAfter } from './fragments.ts';
import { headKey, isLive, PROMPT_HEAD, type PromptHead, promptNotFound } from './head.ts';
import { requireLive } from './lookups.ts';
import { requireAbove, sourcesAfter, versionOf, withLabelMoved } from './publishing.ts';
import { latestFields } from './row-writes.ts';

const FIRST_VERSION = '1.0.0';

export interface CreateInput
  extends PromptContent,
    Pick<InputOf<typeof promptsCreate.body>, 'name' | 'version' | 'label' | 'overDeleted'> {
  /** The API key that creates it. @default - an operator does */
  readonly creator?: Creator | undefined;
  /** The file that the first version is published from. */
  readonly source?: Source | undefined;
}

/** Creates a prompt with its first version: 1.0.0, or the next major version if the name was used before. */
export const createPrompt = async (table: Table, change: Change, input: CreateInput): Promise<PromptHead> => {
  await requireRoom(table);
  const head = await changeHead(table, change, promptIdOf(input.name), undefined, (seen) => {
    if (isLive(seen))
      throw new CuevaultError(
        'name_taken',
        `A prompt named "${input.name}" already exists. Publish a version of it, or choose another name.`,
      );
    return creation(change, input, seen);
  });
  await noteCreated(table);
  return head;
};

/** The plan of a prompt that does not exist, or is deleted. */
export const creation = (change: Change, input: CreateInput, earlier: PromptHead | undefined): Plan => {
  if (earlier === undefined) checkNewPromptName(input.name);
  if (input.overDeleted !== true) requireGone(earlier, change.at);
  const reservedUpTo = earlier?.highest;
  const version =
    input.version ?? (reservedUpTo === undefined ? FIRST_VERSION : bumpVersion(reservedUpTo, 'major'));
  requireAbove(reservedUpTo, version);
  const promptId = promptIdOf(input.name);
  const published = versionOf(promptId, version, input, change);
  const { head, details, writes } = withLabelMoved(
    {
      promptId,
      name: input.name,
      rev: 0,
      generation: (earlier?.generation ?? 0) + 1,
      highest: version,
      reservedUpTo,
      versions: 1,
      labels: [],
      ...latestFields(published),
      ...sourcesAfter([], input.source, published),
      ...fragmentsAfter(undefined, published),
      ...stamp(change, 'created'),
      createdByKey: input.creator?.keyId,
      ...stamp(change, 'changed'),
    },
    input.label,
    version,
    change,
  );
  return {
    head,
    event: { type: 'prompt-created', version },
    audit: { action: 'prompt.create', details: { version, ...details, source: input.source } },
    version: published,
    writes: [
      ...writes,
      ...countOfKeys(input.creator, earlier?.createdByKey),
      ...(earlier === undefined ? [] : leavingBehind(earlier, head.createdAt)),
    ],
  };
};

/** Whether a prompt is deleted and can be restored at `now`. */
export const isRestorable = ({ deletedAt, versions }: PromptHead, now: Date): boolean =>
  // A head without versions was emptied by a purge whose time is slightly later than `now`.
  deletedAt !== undefined && restorable(deletedAt, now) && versions > 0;

const requireGone = (earlier: PromptHead | undefined, now: Date) => {
  if (earlier === undefined || !isRestorable(earlier, now)) return;
  throw new CuevaultError(
    'restorable',
    `A deleted prompt named "${earlier.name}" can be restored until ${restorableUntil(earlier.deletedAt ?? '')}, but not once it is created again. An operator decides: restore it, or create it with "overDeleted": true.`,
  );
};

/** When the name of a deleted prompt is used again: its rows are to be purged, its draft and examples are removed. */
const leavingBehind = ({ promptId, name, deletedAt = '' }: PromptHead, recreatedAt: string): Write[] => [
  putDeletion({ promptId, name, deletedAt, recreatedAt }),
  discardDraft(promptId),
  discardExamples(promptId),
];

/** Deletes a prompt, whose head must have the `rev`, if given. It can be restored for `LIMITS.restoreDays` days. */
export const deletePrompt = (
  table: Table,
  change: Change,
  promptId: string,
  {
    rev,
    createdByKey,
  }: Pick<InputOf<typeof promptsDelete.query>, 'rev'> & Pick<PromptHead, 'createdByKey'> = {},
): Promise<PromptHead> =>
  changeLiveHead(table, change, promptId, rev, (seen) => {
    if (createdByKey !== undefined && seen.createdByKey !== createdByKey)
      throw promptNotFound(`"${seen.name}" that this API key has created`);
    const deletedAt = change.at.toISOString();
    return {
      head: { ...seen, generation: seen.generation + 1, deletedAt },
      event: { type: 'prompt-deleted' },
      audit: { action: 'prompt.delete' },
      writes: [putDeletion({ promptId, name: seen.name, deletedAt })],
    };
  });

/** Restores a deleted prompt completely. */
export const restorePrompt = (table: Table, change: Change, promptId: string) =>
  changeHead(table, change, promptId, undefined, (seen) => {
    const { deletedAt, ...head } = requireRestorable(seen, promptId, change.at);
    return {
      head: { ...head, generation: head.generation + 1 },
      event: { type: 'prompt-restored' },
      audit: { action: 'prompt.restore' },
      writes: [removeDeletion({ promptId, deletedAt })],
    };
  });

const requireRestorable = (head: PromptHead | undefined, promptId: string, now: Date) => {
  if (head === undefined) throw promptNotFound(`with the id "${promptId}"`);
  const { deletedAt } = head;
  if (deletedAt === undefined) {
    throw new CuevaultError(
      'not_deleted',
      `The prompt "${head.name}" is not deleted, so there is nothing to restore.`,
    );
  }
  if (!isRestorable(head, now)) {
    throw new CuevaultError(
      'prompt_not_found',
      `The prompt "${head.name}" was deleted more than ${LIMITS.restoreDays} days ago and cannot be restored. Create it again.`,
    );
  }
  return { ...head, deletedAt };
};

/** Reads a prompt with its draft and its example values, if it has any. */
export const getPrompt = async (table: Table, promptId: string) => {
  const keys = { head: headKey(promptId), draft: draftKey(promptId), examples: examplesKey(promptId) };
  const items = await readItems(table, Object.values(keys), 'strongly');
  const at = ({ sk }: Key) => items.find((item) => item.sk === sk);
  const draft = at(keys.draft);
  const examples = at(keys.examples);
  const head = verifiedIfFound(table, PROMPT_HEAD, keys.head, at(keys.head));
  return {
    head: requireLive(head, promptId),
    draft: draft && DRAFT.fromItem(draft),
    examples: examples && EXAMPLES.fromItem(examples),
  };
};
