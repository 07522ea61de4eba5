import type { JsonObject } from '../../../contract/fields/fields.ts';
import { CuevaultError } from '../../core/errors.ts';
import { type Authored, type PromptExtras, versionSortKey } from '../../core/prompts/prompts.ts';
import type { Source } from '../../core/prompts/sources.ts';
import { json, list, type RowOf, signedKind, text, verifiedRow, word } from '../signing/rows.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { promptPartition } from './head.ts';

/** The beginning of the sort keys of versions. */
export const VERSION = 'VERSION#';

export const versionKey = (promptId: string, version: string): Key => ({
  pk: promptPartition(promptId),
  sk: VERSION + versionSortKey(version),
});

type Present<Name extends keyof PromptExtras> = NonNullable<PromptExtras[Name]>;

/** How versions are stored and signed. A content field of some versions is one more line in `optional`. */
export const PROMPT_VERSION = signedKind({
  domain: 'prompt-version',
  keyOf: ({ promptId, version }) => versionKey(promptId, version),
  revisionOf: () => 1,
  fields: {
    promptId: text,
    version: text,
    prompt: text,
    tags: list(),
    metaProperties: json<JsonObject>(),
    note: text,
    publishedAt: text,
    publishedBy: text,
  },
  optional: {
    type: word<'chat'>(),
    variables: json<Present<'variables'>>(),
    model: text,
    config: json<Present<'config'>>(),
    output: json<Present<'output'>>(),
    tools: json<Present<'tools'>>(),
    /** The file that the version was published from. */
    source: json<Source>(),
    includes: json<Present<'includes'>>(),
    authored: json<Authored>(),
  },
});

/** A published version: it never changes. */
export type PromptVersion = RowOf<typeof PROMPT_VERSION>;

/** Whether a row only reserves the number of a deleted version. */
export const isTombstone = (item: Item): boolean => item.deletedAt !== undefined;

/** Reads a version; undefined if it does not exist or was deleted. */
export const readVersion = async (table: Table, promptId: string, version: string) => {
  const key = versionKey(promptId, version);
  const item = await getItem(table, key);
  return item === undefined || isTombstone(item) ? undefined : verifiedRow(table, PROMPT_VERSION, key, item);
};

export const versionNotFound = (name: string, version: string): CuevaultError =>
  new CuevaultError(
    'version_not_found',
    `The prompt "${name}" has no version ${version}. Request another one, or omit "version" to get the latest.`,
  );
