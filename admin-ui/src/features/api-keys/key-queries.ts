import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  keysCreate,
  keysGet,
  keysList,
  keysReach,
  keysUpdate,
} from '../../../../contract/endpoints/api-keys.ts';
import { promptsList } from '../../../../contract/endpoints/prompts.ts';
import { versionsGet } from '../../../../contract/endpoints/versions.ts';
import { KEY_FIELDS } from '../../../../contract/fields/key-limits.ts';
import { matchesPromptPatterns } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type CallInput, call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, reloaderOf, replyQuery } from '../../api/queries.ts';
import { served } from '../../components/prompt-content.ts';
import { inputOf } from '../../components/snippet-texts.ts';
import type { PromptExample } from './key-texts.ts';

export type KeyRow = ReplyOf<typeof keysList>['keys'][number];
export type KeyDetails = ReplyOf<typeof keysGet>;
export type NewKey = ReplyOf<typeof keysCreate>;
type Limits = NonNullable<CallInput<typeof keysReach>['body']>;
export type Reached = ReplyOf<typeof keysReach>['prompts'];
export type KeyInput = NonNullable<CallInput<typeof keysCreate>['body']>;

/** The lists that limit a key, by the name of the limit. */
export type KeyLists = Readonly<Record<string, string[]>>;

/** The lists of a key, by the name of the limit. */
export const listsOf = (apiKey: object): KeyLists =>
  Object.fromEntries(KEY_FIELDS.map(({ name }) => [name, (apiKey as KeyLists)[name] ?? []]));

type PromptRow = ReplyOf<typeof promptsList>['prompts'][number];

export type KeyFilter = QueryOf<typeof keysList>;

const KEYS_KEY = ['api-keys'];
export const keyListQuery = (filter: KeyFilter) =>
  listQuery([...KEYS_KEY, 'list', filter], keysList, { query: filter });

/** One key, with what it may read and what it read. */
export const keyQuery = (keyId: string) => ({
  ...replyQuery([...KEYS_KEY, keyId], keysGet, { params: { keyId } }),
  // Rotations of secrets change it too.
  staleTime: 0,
});

/** What a key with these permissions and limits would reach; while another question is asked, the last answer stays. */
export const reachQuery = (permissions: readonly string[], { prompts, tags, environments }: KeyLists) => {
  const limits = { permissions, prompts, tags, ...(environments?.length && { environments }) };
  return {
    ...replyQuery([...KEYS_KEY, 'reach', limits], keysReach, { body: limits as Limits }),
    placeholderData: keepPreviousData,
    // Shown only beside a limit.
    enabled: permissions.length > 0 && [prompts, tags].some((limit) => limit?.length),
  };
};

/** The first page of prompts, whose names a form suggests. */
export const firstPromptsQuery = replyQuery(['prompts', 'first'], promptsList, {
  query: { limit: LIMITS.pageMost },
});

// What applications get: the production version, or else that of another label or the latest.
const exampleOf = async (
  { promptId, name, labels, latest }: PromptRow,
  signal: AbortSignal,
): Promise<PromptExample> => {
  const shown = labels.find(({ label }) => label === 'production') ?? labels[0];
  const params = { promptId, version: shown?.version ?? latest };
  const { version } = await call(versionsGet, { params, signal });
  return {
    name,
    choice:
      shown === undefined ? { kind: 'version', version: latest } : { kind: 'label', label: shown.label },
    ...inputOf(served(version)),
  };
};

/**
 * The most fetched prompt that a key limited to these patterns can fetch, the label to ask for and its variables; null if
 * the first page has none.
 */
export const examplePromptQuery = (patterns: readonly string[]) =>
  queryOptions({
    queryKey: ['prompts', 'example', patterns],
    queryFn: async ({ signal }) => {
      const [pattern = '', ...others] = patterns;
      // As much of it as a search takes, also of characters with four bytes.
      const q = others.length === 0 ? pattern.replace(/\*$/, '').slice(0, LIMITS.searchBytes / 4) : '';
      const query = { sort: 'fetches', order: 'desc', limit: LIMITS.pageMost, q } as const;
      const { prompts } = await call(promptsList, { query, signal });
      const found = prompts.filter(({ name }) => matchesPromptPatterns(patterns, name));
      const [most] = found;
      // Without fetches, the names are in descending order.
      const chosen = most && most.fetches.count > 0 ? most : found.at(-1);
      return chosen === undefined ? null : exampleOf(chosen, signal);
    },
  });

const reloadAfter = reloaderOf(KEYS_KEY);

/** Creates a key, at most one with a `requestId`. Its reply is not cached. */
export const createKey = async (body: KeyInput): Promise<NewKey> => {
  const created = await reloadAfter(call(keysCreate, { body }));
  if (created.repeated && created.key.kind === 'key')
    throw new Error(
      `An earlier attempt has created the key ${created.key.keyId}, which cannot be shown any more. Revoke it, then create another one.`,
    );
  return created;
};

export const updateKey = (keyId: string, body: NonNullable<CallInput<typeof keysUpdate>['body']>) =>
  reloadAfter(call(keysUpdate, { params: { keyId }, body }));
