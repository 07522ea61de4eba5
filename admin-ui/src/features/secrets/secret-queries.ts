import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { secretsGet } from '../../../../contract/endpoints/secrets/secrets-get.ts';
import { secretsList } from '../../../../contract/endpoints/secrets/secrets-list.ts';
import { secretsListDeleted } from '../../../../contract/endpoints/secrets/secrets-list-deleted.ts';
import { secretsPreviewReaders } from '../../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { pagesFrom } from '../../api/pages.ts';
import { SECRETS_KEY } from '../../components/stopped-mark.tsx';

export type SecretRow = ReplyOf<typeof secretsList>['secrets'][number];
export type SecretDetails = ReplyOf<typeof secretsGet>;
export type Secret = SecretDetails['secret'];
export type EarlierValue = SecretDetails['values'][number];
export type DeletedSecret = ReplyOf<typeof secretsListDeleted>['secrets'][number];

export interface SecretFilter {
  readonly q?: string;
  readonly tag?: string;
  readonly read?: boolean;
  /** The last day, `YYYY-MM-DD` in UTC. */
  readonly rotateBy?: string;
  /** Whether the credential in the earlier value may still work. */
  readonly unfinished?: boolean;
  readonly sort?: 'key' | 'changed' | 'read';
  readonly order?: 'asc' | 'desc';
}

const PAGE = 100;

export const secretListQuery = (filter: SecretFilter) =>
  infiniteQueryOptions({
    queryKey: [...SECRETS_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(secretsList, {
        query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: (earlier) => earlier,
  });

/** All secrets, from all pages. */
export const allSecretsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'all'],
  queryFn: async ({ signal }) => {
    const found: SecretRow[] = [];
    for await (const { secrets } of pagesFrom((page) => call(secretsList, { query: page, signal }))) {
      found.push(...secrets);
    }
    return found;
  },
});

export const secretQuery = (secretId: string) =>
  queryOptions({
    queryKey: [...SECRETS_KEY, secretId],
    queryFn: ({ signal }) => call(secretsGet, { params: { secretId }, signal }),
  });

/** All tags in use, for selection. */
export const secretTagsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'tags'],
  queryFn: async ({ signal }) => (await call(secretsList, { query: { limit: 1 }, signal })).tags,
});

export const deletedSecretsQuery = infiniteQueryOptions({
  queryKey: [...SECRETS_KEY, 'deleted'],
  queryFn: ({ pageParam, signal }) =>
    call(secretsListDeleted, { query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ cursor }) => cursor,
});

/** The API keys that can read a secret with these tags. */
export const tagReadersQuery = (tags: readonly string[]) =>
  queryOptions({
    queryKey: [...SECRETS_KEY, 'tag-readers', tags],
    queryFn: async ({ signal }) =>
      (await call(secretsPreviewReaders, { body: { tags: [...tags] }, signal })).readers,
  });

/** A deleted secret that can be restored, or null. Not cached, because it may be restored soon. */
export const deletedSecretQuery = (secretId: string) =>
  queryOptions({
    queryKey: ['deleted-secret', secretId],
    queryFn: async ({ signal }) =>
      (await call(secretsListDeleted, { query: { secretId }, signal })).secrets[0] ?? null,
    gcTime: 0,
  });
