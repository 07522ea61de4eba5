import { queryOptions } from '@tanstack/react-query';
import { secretsGet } from '../../../../contract/endpoints/secrets/secrets-get.ts';
import { secretsList } from '../../../../contract/endpoints/secrets/secrets-list.ts';
import { secretsListDeleted } from '../../../../contract/endpoints/secrets/secrets-list-deleted.ts';
import { secretsPreviewReaders } from '../../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, readAll, replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { SECRETS_KEY } from '../../components/stopped-mark.tsx';

export type SecretRow = ReplyOf<typeof secretsList>['secrets'][number];
export type SecretDetails = ReplyOf<typeof secretsGet>;
export type Secret = SecretDetails['secret'];
export type EarlierValue = SecretDetails['values'][number];

export type SecretFilter = QueryOf<typeof secretsList>;

export const secretListQuery = (filter: SecretFilter) =>
  listQuery([...SECRETS_KEY, 'list', filter], secretsList, { query: filter });

export const allSecretsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'all'],
  queryFn: ({ signal }) => readAll(secretsList, { signal }, ({ secrets }) => secrets),
});

export const secretQuery = (secretId: string) =>
  replyQuery([...SECRETS_KEY, secretId], secretsGet, { params: { secretId } });

/** A secret as it is now, not from the cache. */
export const currentSecret = async (secretId: string): Promise<Secret> =>
  (await queryClient.fetchQuery({ ...secretQuery(secretId), staleTime: 0 })).secret;

export const secretTagsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'tags'],
  queryFn: async ({ signal }) => (await call(secretsList, { query: { limit: 1 }, signal })).tags,
});

export const deletedSecretsQuery = listQuery([...SECRETS_KEY, 'deleted'], secretsListDeleted);

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
