import { secretsCreate } from '../../../../contract/endpoints/secrets/secrets-create.ts';
import { secretsDelete } from '../../../../contract/endpoints/secrets/secrets-delete.ts';
import { secretsImport } from '../../../../contract/endpoints/secrets/secrets-import.ts';
import { secretsRestore } from '../../../../contract/endpoints/secrets/secrets-restore.ts';
import { secretsRollback } from '../../../../contract/endpoints/secrets/secrets-rollback.ts';
import { secretsUpdate } from '../../../../contract/endpoints/secrets/secrets-update.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { changesOf } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { changeSeveral, type Kind } from '../../components/several.ts';
import { SECRETS_KEY } from '../../components/stopped-mark.tsx';
import type { Secret } from './secret-queries.ts';

// Values are only in these calls, never in a cache.

/** Which secret of several. */
export type Named = Pick<Secret, 'secretId' | 'key'>;

const KIND: Kind<Named> = { one: 'secret', nameOf: ({ key }) => key };

const changing = changesOf(SECRETS_KEY);

export const createSecret = (key: string, value: string, tags: string[]) =>
  changing(call(secretsCreate, { body: { key, value, tags } }));

/** Changes the value of a secret, if `number` is still current, and the day of its next rotation if given. */
export const replaceValue = (secretId: string, value: string, number: number, rotateBy?: string) =>
  changing(
    call(secretsUpdate, { params: { secretId }, body: { value, number, ...(rotateBy && { rotateBy }) } }),
  );

/** Changes the note of a secret, and the day of its next rotation. */
export const changeNotes = (secretId: string, notes: { note: string; rotateBy: string }) =>
  changing(call(secretsUpdate, { params: { secretId }, body: notes }));

/** Records that the credentials in the values up to this number are switched off. */
export const recordSwitchedOff = (secretId: string, switchedOffUpTo: number) =>
  changing(call(secretsUpdate, { params: { secretId }, body: { switchedOffUpTo } }));

/** Changes the tags of a secret, if it still has `expectedTags`. API keys gain access only if `confirm` is true. */
export const replaceTags = (secretId: string, tags: string[], expectedTags: string[], confirm: boolean) =>
  changing(call(secretsUpdate, { params: { secretId }, query: { confirm }, body: { tags, expectedTags } }));

/** Makes an earlier value the current one, if `current` still is. */
export const rollBack = (secretId: string, number: number, current: number) =>
  changing(call(secretsRollback, { params: { secretId }, body: { number, current } }));

/** The screen is about to be left, so its data is not read again; the cached data of the secret is removed. */
export const deleteSecret = async (secretId: string): Promise<void> => {
  await call(secretsDelete, { params: { secretId } });
  void queryClient.invalidateQueries({ queryKey: SECRETS_KEY, refetchType: 'none' });
  queryClient.removeQueries({ queryKey: [...SECRETS_KEY, secretId] });
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
  changing(
    changeSeveral(KIND, secrets, async ({ secretId, tags }) => {
      const body = { tags: tagsAfter(tags), expectedTags: tags };
      await call(secretsUpdate, { params: { secretId }, query: { confirm }, body });
    }),
  );

/** Deletes secrets one after the other. Errors: those of `changeSeveral`. */
export const deleteSecrets = (secrets: readonly Named[]) =>
  changing(
    changeSeveral(KIND, secrets, async ({ secretId }) => {
      await call(secretsDelete, { params: { secretId } });
    }),
  );

/** Restores a deleted secret. API keys that were created since gain access only if `confirm` is true. */
export const restoreSecret = (secretId: string, confirm: boolean) =>
  changing(call(secretsRestore, { params: { secretId }, query: { confirm } }));

export type ImportPreview = ReplyOf<typeof secretsImport>;

/** What to import: a `.env` text, tags to add, and keys to leave out. */
export interface ImportInput {
  readonly text: string;
  readonly tags: string[];
  readonly skip: string[];
}

/** What an import would do; nothing is stored. */
export const previewImport = (input: ImportInput, signal: AbortSignal): Promise<ImportPreview> =>
  call(secretsImport, { body: { ...input, dryRun: true }, signal });

export const importSecrets = (input: ImportInput, confirm: boolean) =>
  changing(call(secretsImport, { query: { confirm }, body: input }));
