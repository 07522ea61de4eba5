import type { Message } from '../../../contract/content/content.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { type ApiKey, maySeePrompt, RefusedCall } from '../../core/api-keys/rules.ts';
import { type BoundedCache, createBoundedCache } from '../../core/bounded-cache.ts';
import { CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { extrasText, messagesOf, type PromptExtras, readExtras } from '../../core/prompts/prompts.ts';
import type { Table } from '../table.ts';
import {
  isAboveReserved,
  isLive,
  labelled,
  labelNotFound,
  type PromptHead,
  promptNotFound,
  readHead,
} from './head.ts';
import { type PromptVersion, readVersion, versionNotFound } from './versions.ts';

/** A prompt, by name or id, and a version: the given one, the one that the label points to, or else the latest. */
export interface PromptQuery {
  readonly name?: string | undefined;
  readonly promptId?: string | undefined;
  readonly version?: string | undefined;
  readonly label?: string | undefined;
}

/** One version of a prompt, as the read endpoint returns it. */
export interface RetrievedPrompt extends PromptExtras {
  readonly promptId: string;
  readonly name: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly prompt: string;
  /** The messages of a chat. */
  readonly messages?: readonly Message[] | undefined;
}

export interface PromptReader {
  /**
   * Finds one version of a prompt. Errors: `prompt_not_found`, `version_not_found`, `label_not_found`,
   * `invalid_request`, `integrity`, `unavailable`.
   */
  readonly find: (query: PromptQuery) => Promise<RetrievedPrompt>;
  /**
   * Finds what the API key of a call may see, while the key is read; returns both, and the head. Errors: those of
   * `admitted`, then those of `find`.
   */
  readonly findAdmitted: (
    query: PromptQuery,
    admitted: Admitted,
  ) => Promise<[ApiKey, RetrievedPrompt, PromptHead]>;
}

/** Waits for the admission of a call's API key, then for a read that began meanwhile. */
export type Admitted = <Read>(begun: Promise<Read>) => Promise<[ApiKey, Read]>;

/** The cached part of a version. What has no fixed form is JSON text, whose size in memory is known. */
interface Body extends Pick<RetrievedPrompt, 'version' | 'tags' | 'prompt'> {
  readonly metaProperties: string;
  readonly extras: string | undefined;
}

interface CachedVersion {
  /** The generation of the head when the version was read; with another one, it must be read again. */
  readonly generation: number;
  readonly body: Body;
}

type Versions = BoundedCache<CachedVersion>;

const VERSIONS_BYTES = 32 * 1024 * 1024;
/** Overhead of an entry and of each of its texts, in bytes; characters take at most two bytes each. */
const ENTRY_BYTES = 1024;
const TEXT_BYTES = 32;

/** Retries for a version that was deleted while it was looked up by label or as the latest. */
const ATTEMPTS = 3;

/**
 * A reader of prompts with a cache of versions, for the lifetime of a container. A version is read after the head, and
 * only if it is not cached: a call that is refused because of the head causes no other read.
 */
export const createPromptReader = (table: Table, versionsBytes = VERSIONS_BYTES): PromptReader => {
  const versions: Versions = createBoundedCache(versionsBytes);
  return {
    find: (query) => find(table, versions, query),
    findAdmitted: async (query, admitted) => {
      const [apiKey, found] = await admitted(findHead(table, query));
      const head = requireVisible(apiKey, query, found);
      return [apiKey, await find(table, versions, query, head), head];
    },
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
    const body = isAboveReserved(head, version) ? await recall(table, versions, head, version) : undefined;
    if (body !== undefined) return retrieved(head, body);
    if (query.version !== undefined) throw versionNotFound(head.name, version);
    head = await headOf(table, query);
  }
  throw new CuevaultError('unavailable', 'The prompt is changing right now. Try again shortly.');
};

/**
 * The head of a query, if the key may see the prompt. Prompts outside its restriction do not exist for the key: a
 * restricted key is refused in both cases, so that not even the time to record the refusal distinguishes them.
 * Errors: `prompt_not_found`.
 */
const requireVisible = (apiKey: ApiKey, query: PromptQuery, head: PromptHead | undefined): PromptHead => {
  if (head !== undefined && maySeePrompt(apiKey, head.name)) return head;
  const missing = notFoundFor(query);
  throw apiKey.prompts.length === 0 ? missing : new RefusedCall('prompts', missing.message, apiKey);
};

const notFoundFor = ({ name, promptId }: PromptQuery): CuevaultError =>
  promptNotFound(name === undefined ? `with the id "${promptId}"` : `named "${name}"`);

const findHead = async (table: Table, query: PromptQuery): Promise<PromptHead | undefined> => {
  const head = await readHead(table, query.promptId ?? promptIdOf(query.name ?? ''));
  return isLive(head) ? head : undefined;
};

const headOf = async (table: Table, query: PromptQuery): Promise<PromptHead> => {
  const head = await findHead(table, query);
  if (head === undefined) throw notFoundFor(query);
  return head;
};

const cacheKey = (promptId: string, version: string): string => `${promptId}/${version}`;

const bodyOf = (read: PromptVersion): Body => ({
  version: read.version,
  tags: read.tags,
  metaProperties: JSON.stringify(read.metaProperties),
  prompt: read.prompt,
  extras: extrasText(read),
});

const resolve = (head: PromptHead, { version, label }: PromptQuery): string => {
  if (version !== undefined) return version;
  if (label === undefined) return head.latest;
  const pointedTo = labelled(head, label);
  if (pointedTo === undefined) throw labelNotFound(head.name, label);
  return pointedTo;
};

/** The body of a version, from the cache if it was read in this generation of the prompt. */
const recall = async (
  table: Table,
  versions: Versions,
  head: PromptHead,
  version: string,
): Promise<Body | undefined> => {
  const cached = versions.get(cacheKey(head.promptId, version));
  if (cached?.generation === head.generation) return cached.body;
  const found = await readVersion(table, head.promptId, version);
  if (found === undefined) return undefined;
  const body = bodyOf(found);
  remember(versions, head, body);
  return body;
};

/** Caches a body by its entire size. */
const remember = (versions: Versions, { promptId, generation }: PromptHead, body: Body): void => {
  const { version, tags, metaProperties, prompt, extras = '' } = body;
  const texts = [version, metaProperties, prompt, extras, ...tags];
  const bytes = texts.reduce((sum, { length }) => sum + TEXT_BYTES + 2 * length, ENTRY_BYTES);
  versions.set(cacheKey(promptId, version), { generation, body }, bytes);
};

const retrieved = (
  { promptId, name }: PromptHead,
  { version, tags, metaProperties, prompt, extras }: Body,
): RetrievedPrompt => {
  const fields = {
    ...{ promptId, name, version, tags },
    metaProperties: JSON.parse(metaProperties) as JsonObject,
    prompt,
  };
  if (extras === undefined) return fields;
  const read = readExtras(extras);
  const messages = messagesOf({ type: read.type, prompt });
  return { ...fields, ...read, ...(messages && { messages }) };
};
