import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { keysCreate } from '../../../../contract/endpoints/api-keys/keys-create.ts';
import { keysGet } from '../../../../contract/endpoints/api-keys/keys-get.ts';
import { keysList } from '../../../../contract/endpoints/api-keys/keys-list.ts';
import { keysRevoke } from '../../../../contract/endpoints/api-keys/keys-revoke.ts';
import { keysUpdate } from '../../../../contract/endpoints/api-keys/keys-update.ts';
import { promptsList } from '../../../../contract/endpoints/prompts/prompts-list.ts';
import { secretsList } from '../../../../contract/endpoints/secrets/secrets-list.ts';
import { matchesPromptPatterns } from '../../../../contract/prompt-patterns.ts';
import { type CallInput, call, type ReplyOf } from '../../api/client.ts';
import { type PageQuery, pagesFrom } from '../../api/pages.ts';
import { queryClient } from '../../api/query-client.ts';
import type { PromptExample } from './key-texts.ts';

export type KeyRow = ReplyOf<typeof keysList>['keys'][number];
export type KeyDetails = ReplyOf<typeof keysGet>;
/** The reply that contains the key itself, once. */
export type NewKey = ReplyOf<typeof keysCreate>;
export type KeyInput = NonNullable<CallInput<typeof keysCreate>['body']>;

type PromptRow = ReplyOf<typeof promptsList>['prompts'][number];

export interface KeyFilter {
  readonly q?: string;
  readonly status?: 'active' | 'expired' | 'revoked';
  readonly sort?: 'name' | 'used' | 'expires' | 'created';
  readonly order?: 'asc' | 'desc';
}

const KEYS_KEY = ['api-keys'];
const PAGE = 100;

export const keyListQuery = (filter: KeyFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEYS_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(keysList, { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: (earlier) => earlier,
  });

/** One key, with what it may read and what it read. */
export const keyQuery = (keyId: string) =>
  queryOptions({
    queryKey: [...KEYS_KEY, keyId],
    queryFn: ({ signal }) => call(keysGet, { params: { keyId }, signal }),
    // Rotations of secrets change it too.
    staleTime: 0,
  });

/** The tags of secrets, for the restriction of a key. */
export const secretTagsQuery = queryOptions({
  queryKey: ['secrets', 'tags'],
  queryFn: async ({ signal }) => (await call(secretsList, { query: { limit: 1 }, signal })).tags,
});

/** The keys of the secrets that have all these tags, from all pages. */
export const scopeQuery = (tags: readonly string[]) =>
  queryOptions({
    queryKey: ['secrets', 'scope', tags],
    queryFn: async ({ signal }) => {
      const keys: string[] = [];
      const [tag] = tags;
      const read = (page: PageQuery) =>
        call(secretsList, { query: { ...page, ...(tag !== undefined && { tag }) }, signal });
      for await (const { secrets } of pagesFrom(read)) {
        const within = secrets.filter((secret) => tags.every((one) => secret.tags.includes(one)));
        keys.push(...within.map(({ key }) => key));
      }
      return keys;
    },
  });

const exampleOf = (prompt: PromptRow): PromptExample => {
  const labels = prompt.labels.map(({ label }) => label);
  const label = labels.includes('production') ? 'production' : labels[0];
  return { name: prompt.name, ...(label === undefined ? { version: prompt.latest } : { label }) };
};

/** The names of all prompts; pages are read until there are no more. */
export const promptNamesQuery = queryOptions({
  queryKey: ['prompts', 'names'],
  queryFn: async ({ signal }) => {
    const names: string[] = [];
    for await (const { prompts } of pagesFrom((page) => call(promptsList, { query: page, signal }))) {
      names.push(...prompts.map(({ name }) => name));
    }
    return names;
  },
});

/**
 * The most fetched prompt that a key limited to these patterns can fetch, and the label to ask for; null if there is
 * none.
 */
export const examplePromptQuery = (patterns: readonly string[]) =>
  queryOptions({
    queryKey: ['prompts', 'example', patterns],
    queryFn: async ({ signal }) => {
      const read = (page: PageQuery) =>
        call(promptsList, { query: { ...page, sort: 'fetches', order: 'desc' }, signal });
      for await (const { prompts } of pagesFrom(read)) {
        const found = prompts.find(({ name }) => matchesPromptPatterns(patterns, name));
        if (found !== undefined) return exampleOf(found);
      }
      return null;
    },
  });

const changing = async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
  try {
    return await reply;
  } finally {
    void queryClient.invalidateQueries({ queryKey: KEYS_KEY });
  }
};

/** Creates a key. Its reply is not cached. */
export const createKey = (body: KeyInput): Promise<NewKey> => changing(call(keysCreate, { body }));

/** Renames or narrows a key. */
export const updateKey = (keyId: string, body: NonNullable<CallInput<typeof keysUpdate>['body']>) =>
  changing(call(keysUpdate, { params: { keyId }, body }));

export const revokeKey = (keyId: string) => changing(call(keysRevoke, { params: { keyId } }));
