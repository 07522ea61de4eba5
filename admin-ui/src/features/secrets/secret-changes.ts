import type { Endpoint } from '../../../../contract/endpoint.ts';
import {
  secretsCreate,
  secretsDelete,
  secretsRestore,
  secretsUpdate,
} from '../../../../contract/endpoints/secrets.ts';
import { type CallInput, call } from '../../api/client.ts';
import { reloaderOf } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { SECRETS_KEY, type SecretRef } from '../../components/environments.tsx';
import { changeSeveral, type Kind } from '../../components/several.ts';
import type { Secret } from './secret-queries.ts';

// Values are only in these calls, never in a cache.

/** Which secret of several. */
export type Named = Pick<Secret, 'environment' | 'secretId' | 'key'>;

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
) =>
  changeEach({ one: 'environment', nameOf: (name) => name }, environments, (environment) =>
    call(secretsCreate, { body: { environment, ...secret } }),
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
export const replaceValue = (secrets: readonly Replacement[], value: string) =>
  changeEach(
    { one: 'environment', nameOf: ({ environment }) => environment },
    secrets,
    ({ number, rotateBy, hasLeaked, ...secret }) => {
      const leaked = hasLeaked && { switchedOffUpTo: number };
      return update(secret, { value, number, ...(rotateBy && { rotateBy }), ...leaked });
    },
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
  secrets: readonly (Named & Pick<Secret, 'tags'>)[],
  tagsAfter: (tags: readonly string[]) => string[],
  confirm: boolean,
) =>
  changeEach(KIND, secrets, ({ tags, ...secret }) =>
    update(secret, { tags: tagsAfter(tags), expectedTags: tags }, confirm),
  );

/** Deletes secrets one after the other. Errors: those of `changeSeveral`. */
export const deleteSecrets = (secrets: readonly Named[]) => changeEach(KIND, secrets, remove);

/** Restores a deleted secret. API keys that were created since gain access only if `confirm` is true. */
export const restoreSecret = ({ environment, secretId }: SecretRef, confirm: boolean) =>
  changeSecrets(secretsRestore, { params: { secretId }, query: { environment, confirm } });
