import type { JsonObject } from '../../../contract/fields/fields.ts';
import { CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import type { Item, Table } from '../table.ts';
import { type BoundedCache, createBoundedCache } from './cache.ts';
import {
  isAboveReserved,
  isLive,
  labelled,
  labelNotFound,
  type PromptHead,
  promptNotFound,
  readHead,
} from './head.ts';
import { readVersionItem, versionFromItem, versionNotFound } from './versions.ts';

/** Which prompt, by its name or its id, and which version: the given one, the one labelled, or else the latest. */
export interface PromptQuery {
  readonly name?: string | undefined;
  readonly promptId?: string | undefined;
  readonly version?: string | undefined;
  readonly label?: string | undefined;
}

/** One version of a prompt, as callers of the read endpoint get it. */
export interface RetrievedPrompt {
  readonly promptId: string;
  readonly name: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly prompt: string;
}

export interface PromptReader {
  /** The head of the prompt that is asked for, strongly consistent. Errors: `prompt_not_found`, `unavailable`. */
  readonly head: (query: PromptQuery) => Promise<PromptHead>;
  /**
   * Finds one version of a prompt, given the head that `head` has just returned for this query, or reading it.
   * Errors: `prompt_not_found`, `version_not_found`, `label_not_found`, `invalid_request`, `unavailable`.
   */
  readonly find: (query: PromptQuery, head?: PromptHead) => Promise<RetrievedPrompt>;
}

interface CachedVersion {
  /** That of the head when the version was there: under another one it has to be read again. */
  readonly generation: number;
  readonly item: Item;
}

type Versions = BoundedCache<CachedVersion>;

const VERSIONS_BYTES = 32 * 1024 * 1024;
/** What an entry and each of its texts take beside their characters, of which none takes more than two bytes. */
const ENTRY_BYTES = 1024;
const TEXT_BYTES = 32;

/** How often a version that was deleted while it was being looked up by label or as the latest is looked up anew. */
const ATTEMPTS = 3;

/**
 * A reader of prompts with a memory of version bodies, for the life of a container. A body is read after the head, and
 * only if it is not remembered: whoever is refused once the head is known has caused no other read.
 */
export const createPromptReader = (table: Table, versionsBytes = VERSIONS_BYTES): PromptReader => {
  const versions: Versions = createBoundedCache(versionsBytes);
  return {
    head: (query) => headOf(table, query),
    find: (query, head) => find(table, versions, query, head),
  };
};

const find = async (
  table: Table,
  versions: Versions,
  query: PromptQuery,
  seen?: PromptHead,
): Promise<RetrievedPrompt> => {
  let head = seen ?? (await headOf(table, query));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const version = resolve(head, query);
    const item = isAboveReserved(head, version) ? await recall(table, versions, head, version) : undefined;
    if (item !== undefined) return retrieved(head, item);
    if (query.version !== undefined) throw versionNotFound(head.name, version);
    head = await headOf(table, query);
  }
  throw new CuevaultError('unavailable', 'The prompt is being changed at this moment. Try again shortly.');
};

/** What is said of a prompt that does not exist, or that the caller must not see. */
export const notFoundFor = ({ name, promptId }: PromptQuery): CuevaultError =>
  promptNotFound(name === undefined ? `with the id "${promptId}"` : `named "${name}"`);

const headOf = async (table: Table, query: PromptQuery): Promise<PromptHead> => {
  const head = await readHead(table, query.promptId ?? promptIdOf(query.name ?? ''));
  if (!isLive(head)) throw notFoundFor(query);
  return head;
};

const cacheKey = (promptId: string, version: string): string => `${promptId}/${version}`;

const resolve = (head: PromptHead, { version, label }: PromptQuery): string => {
  if (version !== undefined) return version;
  if (label === undefined) return head.latest;
  const pointedTo = labelled(head, label);
  if (pointedTo === undefined) throw labelNotFound(head.name, label);
  return pointedTo;
};

/** The body of a version, from memory if it was seen in this generation of the prompt. */
const recall = async (
  table: Table,
  versions: Versions,
  head: PromptHead,
  version: string,
): Promise<Item | undefined> => {
  const cached = versions.get(cacheKey(head.promptId, version));
  if (cached?.generation === head.generation) return cached.item;
  const item = await readVersionItem(table, head.promptId, version);
  if (item !== undefined) remember(versions, head, item);
  return item;
};

/** Keeps what is needed of a version, and weighs all of that. */
const remember = (
  versions: Versions,
  { promptId, generation }: PromptHead,
  { version, tags, metaProperties, prompt }: Item,
): void => {
  const texts = [version, metaProperties, prompt, ...(tags as string[])].map(String);
  const bytes = texts.reduce((sum, { length }) => sum + TEXT_BYTES + 2 * length, ENTRY_BYTES);
  const item = { version, tags, metaProperties, prompt };
  versions.set(cacheKey(promptId, String(version)), { generation, item }, bytes);
};

const retrieved = ({ promptId, name }: PromptHead, item: Item): RetrievedPrompt => {
  const { version, tags, metaProperties, prompt } = versionFromItem(item);
  return { promptId, name, version, tags, metaProperties, prompt };
};
