import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { CuevaultError } from '../../core/errors.ts';
import { integerOf, versionSortKey } from '../../core/prompts/prompts.ts';
import { list, number, type RowOf, readRow, records, signedKind, text, word } from '../signing/rows.ts';
import type { Key, Table } from '../table.ts';

/** Partition of a prompt: its head, versions, draft, example values and events. */
export const promptPartition = (promptId: string): string => PARTITIONS.prompt + promptId;

export const headKey = (promptId: string): Key => ({ pk: promptPartition(promptId), sk: 'HEAD' });

/** What lists show of a prompt besides its name and id; the index has it as one text of about 400 bytes. */
export const LISTED = [
  ...(['latest', 'type', 'labels', 'tags', 'excerpt'] as const),
  ...(['createdAt', 'changedAt', 'changedBy', 'reservedUpTo', 'createdByKey'] as const),
];

/** How heads are stored and signed. Times are ISO 8601 in UTC, actors e-mail addresses. */
export const PROMPT_HEAD = signedKind({
  domain: 'prompt-head',
  keyOf: ({ promptId }) => headKey(promptId),
  revisionOf: ({ rev }) => rev,
  fields: {
    promptId: text,
    name: text,
    /** Incremented with every change; changes are conditioned on it. */
    rev: number,
    /** Incremented when a readable version may have become unreadable; caches compare it. */
    generation: number,
    /** The highest version by precedence. */
    latest: text,
    /** The highest version ever published, including deleted ones and those of a deleted prompt of the same name. */
    highest: text,
    /** Number of existing versions. */
    versions: number,
    /** Moving pointers to versions, sorted by name. */
    labels: records('label', 'version'),
    /** Tags of the latest version. */
    tags: list(),
    /** Size of the latest template, in bytes of UTF-8. */
    templateBytes: number,
    /** What a search finds besides name, tags and labels: `latestFields` says what of the latest version. */
    excerpt: text,
    /** The hash of the latest content. */
    contentHash: text,
    createdAt: text,
    createdBy: text,
    changedAt: text,
    changedBy: text,
  },
  optional: {
    /** Absent if the latest version is a text. */
    type: word<'chat'>(),
    /** Versions up to this one belonged to a deleted prompt of the same name; they do not exist. */
    reservedUpTo: text,
    /** The last version published from each of the last five repositories, or found equal there; newest first. */
    sources: records('repository', 'version', 'contentHash', 'commit'),
    /** Ids of the prompts that its versions include, the last ones first: where a deletion looks for what includes it. */
    fragments: list(),
    /** Id of the API key that created it. */
    createdByKey: text,
    deletedAt: text,
  },
  // A deleted prompt has its own partition in the index, so that lists do not show it and backups find it.
  derived: (head) => ({
    [TABLE.index.partitionKey]: INDEX_PARTITIONS[head.deletedAt === undefined ? 'prompts' : 'deletedPrompts'],
    [TABLE.index.sortKey]: head.name,
    listed: JSON.stringify(LISTED.map((field) => head[field])),
  }),
});

/** The current state of a prompt, without its versions. */
export type PromptHead = RowOf<typeof PROMPT_HEAD>;

/** A prompt as lists show it. Not verified. */
export type ListedPrompt = Pick<PromptHead, 'promptId' | 'name' | (typeof LISTED)[number]>;

/** A moving pointer to a version. */
export type Label = PromptHead['labels'][number];

/** Reads a head, including that of a deleted prompt. */
export const readPromptHead = (table: Table, promptId: string): Promise<PromptHead | undefined> =>
  readRow(table, PROMPT_HEAD, headKey(promptId));

/** The error for a prompt that does not exist or is deleted. */
export const promptNotFound = (asked: string): CuevaultError =>
  new CuevaultError('prompt_not_found', `There is no prompt ${asked}. Check it, or create the prompt first.`);

/** Whether a prompt exists and is not deleted. */
export const isLive = (head: PromptHead | undefined): head is PromptHead =>
  head !== undefined && head.deletedAt === undefined;

/** The version that a label points to, if the prompt has the label. */
export const labelled = ({ labels }: Pick<PromptHead, 'labels'>, label: string): string | undefined =>
  labels.find((entry) => entry.label === label)?.version;

/** The error for a prompt without a label. Tools that speak Langfuse ask for a version with dots as for a label. */
export const labelNotFound = (name: string, label: string): CuevaultError => {
  const integer = /^\d+\.\d+\.\d+$/.test(label) ? integerOf(label) : 0;
  const advice =
    integer === 0
      ? 'Check its spelling, or set the label first.'
      : `If you mean the version, ask for it as "version", with tools that speak Langfuse as ${integer}.`;
  return new CuevaultError('label_not_found', `The prompt "${name}" has no label "${label}". ${advice}`);
};

/** Whether a version can belong to the current prompt, not to a deleted one of the same name. */
export const isAboveReserved = (
  { reservedUpTo }: Pick<PromptHead, 'reservedUpTo'>,
  version: string,
): boolean => reservedUpTo === undefined || versionSortKey(version) > versionSortKey(reservedUpTo);
