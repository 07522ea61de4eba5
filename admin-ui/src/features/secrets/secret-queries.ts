import { queryOptions } from '@tanstack/react-query';
import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import { secretsGet, secretsList, secretsListDeleted } from '../../../../contract/endpoints/secrets.ts';
import { call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, readAll, replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { inAddress, SECRETS_KEY, type SecretRef } from '../../components/environments.tsx';

export type SecretRow = ReplyOf<typeof secretsList>['secrets'][number];
export type SecretDetails = ReplyOf<typeof secretsGet>;
export type Secret = SecretDetails['secret'];
export type EarlierValue = SecretDetails['values'][number];

export type SecretFilter = QueryOf<typeof secretsList>;

export const secretListQuery = (filter: SecretFilter) =>
  listQuery([...SECRETS_KEY, 'list', filter], secretsList, { query: filter });

export const allSecretsQuery = (environment: string) =>
  queryOptions({
    queryKey: [...SECRETS_KEY, 'all', environment],
    queryFn: ({ signal }) =>
      readAll(secretsList, { query: { environment }, signal }, ({ secrets }) => secrets),
  });

/** The secrets with this key in all environments, as they are when a form opens: its numbers must not change unseen. */
export const sameKeyQuery = (key: string) =>
  queryOptions({
    queryKey: ['same-key', key],
    queryFn: async ({ signal }) => {
      const query = { environment: '*', q: key } as const;
      const found = await readAll(secretsList, { query, signal }, ({ secrets }) => secrets);
      return found.filter((secret) => secret.key === key);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const secretQuery = ({ environment, secretId }: SecretRef) =>
  replyQuery([...SECRETS_KEY, environment, secretId], secretsGet, {
    params: { secretId },
    query: inAddress(environment),
  });

/** A secret as it is now, not from the cache. */
export const currentSecret = async (secret: SecretRef): Promise<Secret> =>
  (await queryClient.fetchQuery({ ...secretQuery(secret), staleTime: 0 })).secret;

export const deletedSecretsQuery = (environment: string) =>
  listQuery([...SECRETS_KEY, 'deleted', environment], secretsListDeleted, { query: { environment } });

/** The active API keys that read secrets, by name. */
export const readersQuery = queryOptions({
  queryKey: ['api-keys', 'readers'],
  queryFn: async ({ signal }) => {
    const query = { status: 'active', sort: 'name', order: 'asc' } as const;
    const keys = await readAll(keysList, { query, signal }, (page) => page.keys);
    return keys.filter(({ permissions }) => permissions.includes('secrets'));
  },
});

/** A deleted secret that can be restored, or null. Not cached, because it may be restored soon. */
export const deletedSecretQuery = ({ environment, secretId }: SecretRef) =>
  queryOptions({
    queryKey: ['deleted-secret', environment, secretId],
    queryFn: async ({ signal }) =>
      (await call(secretsListDeleted, { query: { environment, secretId }, signal })).secrets[0] ?? null,
    gcTime: 0,
  });
