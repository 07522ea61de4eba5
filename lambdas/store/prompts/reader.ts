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
  /**
   * Finds one version of a prompt. Errors: `prompt_not_found`, `version_not_found`, `label_not_found`,
   * `invalid_request`, `unavailable`.
   */
  readonly find: (query: PromptQuery) => Promise<RetrievedPrompt>;
}

interface CachedVersion {
  /** That of the head when the version was there: under another one it has to be read again. */
  readonly generation: number;
  readonly item: Item;
}

interface Caches {
  readonly versions: BoundedCache<CachedVersion>;
  /** The generation in which each prompt was last seen. */
  readonly generations: BoundedCache<number>;
}

const VERSIONS_BYTES = 32 * 1024 * 1024;
const GENERATIONS_BYTES = 1024 * 1024;
const GENERATION_BYTES = 128;
/** What an entry and each of its texts take beside their characters, of which none takes more than two bytes. */
const ENTRY_BYTES = 1024;
const TEXT_BYTES = 32;

/** How often a version that was deleted while it was being looked up by label or as the latest is looked up anew. */
const ATTEMPTS = 3;

/**
 * A reader of prompts with a memory of version bodies, for the life of a container. Each call reads the head, strongly
 * consistent; a body is read along with it if its version is known and new, or after it if it is new.
 */
export const createPromptReader = (table: Table, versionsBytes = VERSIONS_BYTES): PromptReader => {
  const caches: Caches = {
    versions: createBoundedCache(versionsBytes),
    generations: createBoundedCache(GENERATIONS_BYTES),
  };
  return { find: (query) => find(table, caches, query) };
};

const find = async (table: Table, caches: Caches, query: PromptQuery): Promise<RetrievedPrompt> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { head, item: readAlong } = await readTogether(table, caches, query);
    const version = resolve(head, query);
    if (isAboveReserved(head, version)) {
      const item = readAlong ?? (await recall(table, caches, head, version));
      if (item !== undefined) return retrieved(head, item);
    }
    if (query.version !== undefined) throw versionNotFound(head.name, version);
  }
  throw new CuevaultError('unavailable', 'The prompt is being changed at this moment. Try again shortly.');
};

const askedFor = ({ name, promptId }: PromptQuery): string =>
  name === undefined ? `with the id "${promptId}"` : `named "${name}"`;

const cacheKey = (promptId: string, version: string): string => `${promptId}/${version}`;

/** Reads the head and, if its number is given and its body not remembered, the version at the same time. */
const readTogether = async (
  table: Table,
  caches: Caches,
  query: PromptQuery,
): Promise<{ head: PromptHead; item: Item | undefined }> => {
  const promptId = query.promptId ?? promptIdOf(query.name ?? '');
  const { version } = query;
  const known = caches.generations.get(promptId);
  const isNew = version !== undefined && caches.versions.get(cacheKey(promptId, version)) === undefined;
  const [head, item] = await Promise.all([
    readHead(table, promptId),
    isNew ? readVersionItem(table, promptId, version) : undefined,
  ]);
  if (!isLive(head)) throw promptNotFound(askedFor(query));
  // The version may have been deleted after it was read and before the head was. It is remembered only if the prompt
  // was in this generation before the two reads began.
  if (item !== undefined && known === head.generation) remember(caches, head, item);
  caches.generations.set(promptId, head.generation, GENERATION_BYTES);
  return { head, item };
};

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
  caches: Caches,
  head: PromptHead,
  version: string,
): Promise<Item | undefined> => {
  const cached = caches.versions.get(cacheKey(head.promptId, version));
  if (cached?.generation === head.generation) return cached.item;
  const item = await readVersionItem(table, head.promptId, version);
  if (item !== undefined) remember(caches, head, item);
  return item;
};

/** Keeps what is needed of a version, and weighs all of that. */
const remember = (
  { versions }: Caches,
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
