import { queryOptions } from '@tanstack/react-query';
import { secretsGet } from '../../../../contract/endpoints/secrets/secrets-get.ts';
import { secretsList } from '../../../../contract/endpoints/secrets/secrets-list.ts';
import { secretsListDeleted } from '../../../../contract/endpoints/secrets/secrets-list-deleted.ts';
import { secretsPreviewReaders } from '../../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { listQuery, readAll } from '../../api/queries.ts';
import { SECRETS_KEY } from '../../components/stopped-mark.tsx';

export type SecretRow = ReplyOf<typeof secretsList>['secrets'][number];
export type SecretDetails = ReplyOf<typeof secretsGet>;
export type Secret = SecretDetails['secret'];
export type EarlierValue = SecretDetails['values'][number];

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

export const secretListQuery = (filter: SecretFilter) =>
  listQuery([...SECRETS_KEY, 'list', filter], (page, signal) =>
    call(secretsList, {
      query: { ...filter, ...page },
      signal,
    }),
  );

/** All secrets, from all pages. */
export const allSecretsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'all'],
  queryFn: ({ signal }) =>
    readAll(
      (query) => call(secretsList, { query, signal }),
      ({ secrets }) => secrets,
    ),
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

export const deletedSecretsQuery = listQuery([...SECRETS_KEY, 'deleted'], (page, signal) =>
  call(secretsListDeleted, { query: page, signal }),
);

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
