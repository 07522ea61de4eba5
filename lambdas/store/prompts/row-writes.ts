import { variablesIn } from '../../../contract/content/templates.ts';
import { truncateUtf8, utf8Bytes } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { authoredContent, hashOf, readableText } from '../../core/prompts/contents.ts';
import type { PromptContent } from '../../core/prompts/prompts.ts';
import { type Change, stamp } from '../audit.ts';
import { putSigned, signedItem } from '../signing/writes.ts';
import type { Item, Table } from '../table.ts';
import { onlyIf, type Write } from '../transactions.ts';
import { headKey, PROMPT_HEAD, type PromptHead, promptNotFound } from './head.ts';
import { PROMPT_VERSION, type PromptVersion, versionKey } from './versions.ts';

const LINE_BYTES = 160;
const EXCERPT_BYTES = 400;
const NOTE_CHARACTERS = 100;

/** The first line that is not blank, the beginning of the note, the model, and names of variables, as far as they fit. */
const excerptOf = (latest: PromptContent) => {
  const [first = ''] = /\S.*/.exec(readableText(latest)) ?? [];
  const line = truncateUtf8(first, LINE_BYTES);
  const names = variablesIn(authoredContent(latest)).filter((name) => !line.includes(name));
  const parts = [line, latest.note.slice(0, NOTE_CHARACTERS), latest.model ?? '', ...names];
  return truncateUtf8(parts.filter((part) => part !== '').join('\n'), EXCERPT_BYTES);
};

/** The fields of a head that describe its latest version. */
export const latestFields = (
  latest: PromptContent & { readonly version: string },
): Pick<PromptHead, 'latest' | 'tags' | 'templateBytes' | 'excerpt' | 'contentHash' | 'type'> => ({
  latest: latest.version,
  tags: latest.tags,
  templateBytes: utf8Bytes(latest.prompt),
  excerpt: excerptOf(latest),
  contentHash: hashOf(latest),
  type: latest.type,
});

/** Signs a head and writes it if the current one is still `seen`; otherwise `ConflictError`. */
export const putHead = (table: Table, head: PromptHead, seen: PromptHead | undefined): Promise<Write> =>
  putSigned(table, PROMPT_HEAD, head, seen && { rev: seen.rev }, 'prompt');

/** A condition of a transaction: the prompt exists. */
export const checkLive = (promptId: string): Write => ({
  check: {
    Key: headKey(promptId),
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletedAt)',
  },
  onConditionFailed: () => promptNotFound(`with the id "${promptId}"`),
});

/** The signed item of a version, with what lists read instead of its content. */
export const signedVersion = async (table: Table, version: PromptVersion): Promise<Item> => ({
  ...(await signedItem(table, PROMPT_VERSION, version)),
  templateBytes: utf8Bytes(version.prompt),
  contentHash: hashOf(version),
});

/** The error for a number that a version has, or had before it was deleted. */
export const numberUsed = (version: string): CuevaultError =>
  new CuevaultError(
    'version_taken',
    `Version ${version} was already published. A number is never used again, even after its version was deleted. Choose another one.`,
  );

/** Signs a version and adds it. */
export const addVersion = async (table: Table, version: PromptVersion): Promise<Write> => ({
  put: {
    Item: await signedVersion(table, version),
    ...onlyIf(),
  },
  onConditionFailed: () => numberUsed(version.version),
});

/** Replaces a version with a tombstone that reserves its number. */
export const tombstoneVersion = (promptId: string, version: string, change: Change): Write => ({
  put: {
    Item: { ...versionKey(promptId, version), promptId, version, ...stamp(change, 'deleted') },
  },
});
