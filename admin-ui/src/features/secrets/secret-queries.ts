import { queryOptions } from '@tanstack/react-query';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import {
  secretsCreate,
  secretsDelete,
  secretsGet,
  secretsList,
  secretsListDeleted,
  secretsRestore,
  secretsUpdate,
} from '../../../../contract/endpoints/secrets.ts';
import { revisionsList, revisionsRestore, vaultGet } from '../../../../contract/endpoints/vault.ts';
import { type CallInput, call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, queryClient, readAll, reloaderOf, replyQuery } from '../../api/queries.ts';
import { inAddress, SECRETS_KEY, type SecretRef } from '../../components/environments.tsx';
import { changeSeveral, type Kind } from '../../components/several.ts';

// Values are only in these calls, never in a cache.

/** Which secret of several. */
export type Named = Pick<Secret, 'environment' | 'secretId' | 'key'>;

export type Tagged = Named & Pick<Secret, 'tags'>;

const KIND: Kind<Named> = { one: 'secret', nameOf: ({ key }) => key };

const reloadAfter = reloaderOf(SECRETS_KEY);

const changeEach = <Item>(...several: Parameters<typeof changeSeveral<Item>>) =>
  reloadAfter(changeSeveral(...several));

/** Makes one change. */
export const changeSecrets = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  reloadAfter(call(endpoint, input));

/** Stores one value in several environments, a change of its own in each. Errors: those of `changeSeveral`. */
export const createSecret = (
  environments: readonly string[],
  secret: { readonly key: string; readonly value: string; readonly tags: string[] },
  onUnchanged: (environments: readonly string[]) => void,
) =>
  changeEach(
    { one: 'environment', nameOf: (name) => name },
    environments,
    (environment) => call(secretsCreate, { body: { environment, ...secret } }),
    onUnchanged,
  );

type Update = NonNullable<CallInput<typeof secretsUpdate>['body']>;

const update = ({ environment, secretId }: SecretRef, body: Update, confirm = false) =>
  call(secretsUpdate, { params: { secretId }, query: { confirm }, body: { environment, ...body } });

/** A secret that gets a new value if `number` is still current, and the day of its next rotation if it has one. */
export interface Replacement extends SecretRef {
  readonly number: number;
  readonly rotateBy?: string | undefined;
  /** Whether the current value has leaked: its credential counts as switched off. */
  readonly hasLeaked: boolean;
}

/** Gives one value to a secret in several environments, a change of its own in each. Errors: those of `changeSeveral`. */
export const replaceValue = (
  secrets: readonly Replacement[],
  value: string,
  onUnchanged: (secrets: readonly Replacement[]) => unknown,
) =>
  changeEach(
    { one: 'environment', nameOf: ({ environment }) => environment },
    secrets,
    ({ number, rotateBy, hasLeaked, ...secret }) => {
      const leaked = hasLeaked && { switchedOffUpTo: number };
      return update(secret, { value, number, ...(rotateBy && { rotateBy }), ...leaked });
    },
    onUnchanged,
  );

/** Changes the note of a secret, the day of its next rotation, or up to which value its credentials are switched off. */
export const changeSecret = (
  secret: SecretRef,
  change: Pick<Update, 'note' | 'rotateBy' | 'switchedOffUpTo'>,
) => reloadAfter(update(secret, change));

const remove = ({ environment, secretId }: SecretRef) =>
  call(secretsDelete, { params: { secretId }, query: { environment } });

/** The screen is about to be left, so its data is not read again; the cached data of the secret is removed. */
export const deleteSecret = async (secret: SecretRef): Promise<void> => {
  await remove(secret);
  void queryClient.invalidateQueries({ queryKey: SECRETS_KEY, refetchType: 'none' });
  queryClient.removeQueries({ queryKey: [...SECRETS_KEY, secret.environment, secret.secretId] });
};

/**
 * Changes the tags of secrets one after the other, if each still has the tags given. API keys gain access only if
 * `confirm` is true. Errors: those of `changeSeveral`.
 */
export const changeTags = (
  secrets: readonly Tagged[],
  tagsAfter: (tags: readonly string[]) => string[],
  confirm: boolean,
  onUnchanged: (secrets: readonly Tagged[]) => unknown,
) =>
  changeEach(
    KIND,
    secrets,
    ({ tags, ...secret }) => update(secret, { tags: tagsAfter(tags), expectedTags: tags }, confirm),
    onUnchanged,
  );

/** Deletes secrets one after the other. Errors: those of `changeSeveral`. */
export const deleteSecrets = (secrets: readonly Named[]) => changeEach(KIND, secrets, remove);

/** Restores a deleted secret. API keys that were created since gain access only if `confirm` is true. */
export const restoreSecret = ({ environment, secretId }: SecretRef, confirm: boolean) =>
  changeSecrets(secretsRestore, { params: { secretId }, query: { environment, confirm } });

export type VaultState = ReplyOf<typeof vaultGet>['vault'];
export type RevisionRow = ReplyOf<typeof revisionsList>['revisions'][number];

export const vaultQuery = (environment: string) =>
  replyQuery([...SECRETS_KEY, 'vault', environment], vaultGet, { query: { environment } });

/** The state of a vault now, not from the cache. */
export const currentVault = async (environment: string): Promise<VaultState> =>
  (await queryClient.fetchQuery({ ...vaultQuery(environment), staleTime: 0 })).vault;

/** The revisions of the last days, as of the current one: a rotation of the key pair makes some by itself. */
export const revisionsQuery = (environment: string, current: number) =>
  listQuery([...SECRETS_KEY, 'revisions', environment, current], revisionsList, { query: { environment } });

export const restorePreviewQuery = (environment: string, revision: number) => ({
  ...replyQuery([...SECRETS_KEY, 'restore-preview', environment, revision], revisionsRestore, {
    params: { revision: String(revision) },
    body: { environment, dryRun: true },
  }),
  gcTime: 0,
});

/** Restores a revision, if `current` still is. API keys gain access only if `confirm` is true. */
export const restoreRevision = (environment: string, revision: number, confirm: boolean, current: number) =>
  changeSecrets(revisionsRestore, {
    params: { revision: String(revision) },
    query: { confirm },
    body: { environment, current },
  });

export type SecretRow = ReplyOf<typeof secretsList>['secrets'][number];
export type SecretDetails = ReplyOf<typeof secretsGet>;
export type Secret = SecretDetails['secret'];
export type EarlierValue = SecretDetails['values'][number];

export type DeletedSecret = ReplyOf<typeof secretsListDeleted>['secrets'][number];

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
