import { secretsCreate } from '../../../../contract/endpoints/secrets/secrets-create.ts';
import { secretsDelete } from '../../../../contract/endpoints/secrets/secrets-delete.ts';
import { secretsImport } from '../../../../contract/endpoints/secrets/secrets-import.ts';
import { secretsRestore } from '../../../../contract/endpoints/secrets/secrets-restore.ts';
import { secretsRollback } from '../../../../contract/endpoints/secrets/secrets-rollback.ts';
import { secretsUpdate } from '../../../../contract/endpoints/secrets/secrets-update.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { SECRETS_KEY, type Secret, secretQuery } from './secret-queries.ts';

/** Puts a secret as a change has returned it on the screen, with the value that it replaced among the earlier ones. */
const keepSecret = ({ secret }: { readonly secret: Secret }): void => {
  queryClient.setQueryData(secretQuery(secret.secretId).queryKey, (seen) => {
    if (seen === undefined || seen.secret.number === secret.number) return seen && { ...seen, secret };
    const { number, changedAt, changedBy } = seen.secret;
    const others = seen.values.filter((value) => value.number !== secret.number);
    const values = [{ number, changedAt, changedBy, replacedAt: secret.changedAt }, ...others];
    return { ...seen, secret, values: values.slice(0, LIMITS.earlierValues) };
  });
};

/**
 * Makes a change. Values pass through these calls alone: no cache holds what was sent. What it returns is on the screen
 * at once, by `keep`; everything else is read again, after a refusal too, which may be due to what is outdated.
 */
const changing = async <Reply>(reply: Promise<Reply>, keep?: (reply: Reply) => void): Promise<Reply> => {
  try {
    const done = await reply;
    await queryClient.cancelQueries({ queryKey: SECRETS_KEY });
    keep?.(done);
    return done;
  } finally {
    void queryClient.invalidateQueries({ queryKey: SECRETS_KEY });
  }
};

export const createSecret = (key: string, value: string, tags: string[]) =>
  changing(call(secretsCreate, { body: { key, value, tags } }));

/** Gives a secret another value, if `number` is still its current one. */
export const replaceValue = (secretId: string, value: string, number: number) =>
  changing(call(secretsUpdate, { params: { secretId }, body: { value, number } }), keepSecret);

/** Gives a secret other tags, if it still has `expectedTags`. */
export const replaceTags = (secretId: string, tags: string[], expectedTags: string[]) =>
  changing(call(secretsUpdate, { params: { secretId }, body: { tags, expectedTags } }), keepSecret);

/** Makes an earlier value the current one, if `current` still is. */
export const rollBack = (secretId: string, number: number, current: number) =>
  changing(call(secretsRollback, { params: { secretId }, body: { number, current } }), keepSecret);

/** What is on the screen is not read again: it is about to be left, and what was read of the secret is forgotten. */
export const deleteSecret = async (secretId: string): Promise<void> => {
  await call(secretsDelete, { params: { secretId } });
  void queryClient.invalidateQueries({ queryKey: SECRETS_KEY, refetchType: 'none' });
  queryClient.removeQueries({ queryKey: [...SECRETS_KEY, secretId] });
};

export const restoreSecret = (secretId: string) => changing(call(secretsRestore, { params: { secretId } }));

export type ImportPreview = ReplyOf<typeof secretsImport>;

/** What importing a text with these tags would come to; nothing is stored. */
export const previewImport = (text: string, tags: string[], signal: AbortSignal): Promise<ImportPreview> =>
  call(secretsImport, { body: { text, tags, dryRun: true }, signal });

export const importSecrets = (text: string, tags: string[]) =>
  changing(call(secretsImport, { body: { text, tags } }));
