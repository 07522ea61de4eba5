import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { type Admitted, type ApiKey, maySeePrompt, RefusedCall } from '../../core/api-keys/rules.ts';
import { createBoundedCache } from '../../core/bounded-cache.ts';
import { CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { extrasOf, messagesOf, type PromptExtras } from '../../core/prompts/prompts.ts';
import type { Table } from '../table.ts';
import {
  isAboveReserved,
  isLive,
  labelled,
  labelNotFound,
  type PromptHead,
  promptNotFound,
  readPromptHead,
} from './head.ts';
import { readVersion, versionNotFound } from './versions.ts';

/** A prompt, by name or id, and a version: the given one, the one that the label points to, or else the latest. */
export type PromptQuery = Pick<
  InputOf<typeof promptGetCompiled.body>,
  'name' | 'promptId' | 'version' | 'label'
>;

/** One version of a prompt, as the read endpoint returns it. */
export type RetrievedPrompt = Omit<ReplyTo<'prompt-get-compiled'>, 'compiledPrompt' | 'compiledMessages'>;

/** The cached part of a version. */
interface Body {
  readonly prompt: string;
  /** Everything else as JSON text, whose size in memory is known. */
  readonly others: string;
}

const VERSIONS_BYTES = 32 * 1024 * 1024;
/** Overhead of a cached version, in bytes. */
const ENTRY_BYTES = 1024;

/** Retries for a version that was deleted while it was looked up by label or as the latest. */
const ATTEMPTS = 3;

/**
 * A reader of prompts with a cache of versions, for the lifetime of a container. A version is read after the head, and
 * only if it is not cached: a call that is refused because of the head causes no other read.
 */
export const createPromptReader = (table: Table, versionsBytes = VERSIONS_BYTES) => {
  // With another generation of the head than when it was read, a version must be read again.
  const cache = createBoundedCache<{ readonly generation: number; readonly body: Body }>(versionsBytes);

  const bodyOf = async ({ promptId, generation }: PromptHead, version: string): Promise<Body | undefined> => {
    const id = `${promptId}/${version}`;
    const cached = cache.get(id);
    if (cached?.generation === generation) return cached.body;
    const found = await readVersion(table, promptId, version);
    if (found === undefined) return undefined;
    const { prompt, tags, metaProperties } = found;
    const body = { prompt, others: JSON.stringify({ version, tags, metaProperties, ...extrasOf(found) }) };
    // A character takes at most two bytes.
    cache.set(id, { generation, body }, ENTRY_BYTES + 2 * (prompt.length + body.others.length));
    return body;
  };

  /**
   * Finds one version of a prompt that the API key of a call may see, while the key is read; returns both, and the
   * head. Calls `onSeen` once the prompt exists for the key, also if the version does not.
   */
  return async (
    query: PromptQuery,
    admitted: Admitted,
    onSeen?: (apiKey: ApiKey, head: PromptHead) => void,
  ): Promise<[ApiKey, RetrievedPrompt, PromptHead]> => {
    const readIt = () => readPromptHead(table, query.promptId ?? promptIdOf(query.name ?? ''));
    let [apiKey, found] = await admitted(readIt());
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const head = requireVisible(apiKey, query, found);
      onSeen?.(apiKey, head);
      const version = resolve(head, query);
      const body = isAboveReserved(head, version) ? await bodyOf(head, version) : undefined;
      if (body !== undefined) return [apiKey, retrieved(head, body), head];
      if (query.version !== undefined) throw versionNotFound(head.name, version);
      found = await readIt();
    }
    throw new CuevaultError('unavailable', 'The prompt is changing right now. Try again shortly.');
  };
};

/**
 * The head, if the prompt exists and the key may see it. Prompts outside its restriction do not exist for the key: a
 * restricted key is refused in both cases, so that not even the time to record the refusal distinguishes them.
 */
const requireVisible = (apiKey: ApiKey, { name, promptId }: PromptQuery, head: PromptHead | undefined) => {
  if (isLive(head) && maySeePrompt(apiKey, head.name)) return head;
  const missing = promptNotFound(name === undefined ? `with the id "${promptId}"` : `named "${name}"`);
  throw apiKey.prompts.length === 0 ? missing : new RefusedCall('prompts', missing.message, apiKey);
};

const resolve = (head: PromptHead, { version, label }: PromptQuery) => {
  if (version !== undefined) return version;
  if (label === undefined) return head.latest;
  const pointedTo = labelled(head, label);
  if (pointedTo === undefined) throw labelNotFound(head.name, label);
  return pointedTo;
};

type Others = Pick<RetrievedPrompt, 'version' | 'tags' | 'metaProperties'> & PromptExtras;

const retrieved = ({ promptId, name }: PromptHead, { prompt, others }: Body): RetrievedPrompt => {
  const { version, tags, metaProperties, ...extras } = JSON.parse(others) as Others;
  const messages = messagesOf({ type: extras.type, prompt });
  return { promptId, name, version, tags, metaProperties, prompt, ...extras, messages };
};
