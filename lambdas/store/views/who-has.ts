import type { ReplyTo } from '../../../contract/documentation.ts';
import { UNKNOWN_VALUES } from '../../../contract/http/errors.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { LINE_END } from '../../../contract/shapes/asked-value.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { dayIn } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import type { EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { countMetric } from '../../log.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { type Change, commitChange } from '../audit.ts';
import { countCall } from '../operators/counted-calls.ts';
import { listDeletedEntries, readEntries } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { readSecretReads, type SecretReads } from '../usage/days.ts';
import { createReadSecrets, type ReadSecrets, readsOfSecrets } from '../usage/secret-reads.ts';
import { earlierValues } from '../vault/values.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import { everyVault } from '../vault/vaults.ts';
import { createPrivateKeys, openValue, type VaultUnwrap } from '../vault-keys/key-pairs.ts';
import { createJudge } from './secret-readers.ts';

/** What is found, entirely. */
export type WhoHas = Pick<ReplyTo<'vault-who-has'>, 'found' | 'unopened'>;
type FoundValue = WhoHas['found'][number];
type Receiver = FoundValue['receivers'][number];

interface Stored {
  readonly entry: SecretEntry;
  readonly value: EncryptedValue & { readonly replacedAt?: string };
  readonly isDeleted: boolean;
  /** When an earlier value was current again, reads before that may have returned it, too. */
  readonly wasCurrentBefore: boolean;
}

// Also the values of a secret that was deleted: the credential in them may still work.
const storedValues = async (vault: Vault, now: Date, forms: readonly string[]): Promise<Stored[]> => {
  const lengths = forms.map(utf8Bytes);
  const [{ entries }, deleted] = await Promise.all([readEntries(vault), listDeletedEntries(vault, now)]);
  const stored = await inParallel(
    [
      ...entries.map((entry) => ({ entry, isDeleted: false })),
      ...deleted.map(({ entry }) => ({ entry, isDeleted: true })),
    ],
    async (secret): Promise<Stored[]> => {
      const values: Stored['value'][] = [secret.entry, ...(await earlierValues(vault, secret.entry))];
      return values.map((value) => ({
        ...secret,
        value,
        wasCurrentBefore: values.some(
          (other) => other.number > value.number && other.changedAt < value.changedAt,
        ),
      }));
    },
  );
  // No other can equal it, so no other is opened.
  return stored.flat().filter(({ value }) => lengths.includes(value.bytes));
};

const receiversOf = async (
  readSecretsOf: ReadSecrets,
  keys: readonly ApiKey[],
  reads: readonly SecretReads[],
  vault: Vault,
  { entry: { secretId }, value, wasCurrentBefore }: Stored,
  now: Date,
): Promise<Receiver[]> => {
  const judge = await createJudge(vault, value, wasCurrentBefore);
  const byKey = (await readsOfSecrets(readSecretsOf, reads, [secretId])).get(secretId);
  return keys.flatMap((key) => {
    const days = (byKey?.get(key.keyId) ?? []).map((read) => ({
      day: dayIn(read.lastAt),
      ...judge(read),
    }));
    const possible = days.filter(({ certain, maybe }) => certain || maybe);
    const from = possible[0];
    const to = possible.at(-1);
    if (from === undefined || to === undefined) return [];
    return {
      apiKeyId: key.keyId,
      apiKeyName: key.name,
      isActive: statusOf(key, now) === 'active',
      isCertain: possible.some(({ certain }) => certain),
      from: from.day,
      to: to.day,
      stillHasIt: days.at(-1)?.last === true,
    };
  });
};

/** Counts a question of an operator. */
export const countQuestion = (table: Table, operatorId: string, at: Date): Promise<void> =>
  countCall(table, operatorId, at, {
    period: 'day',
    most: LIMITS.questionsPerDay,
    sentence: `You have asked ${LIMITS.questionsPerDay} times today (UTC), which is the most. Ask another administrator, or tomorrow.`,
  });

/**
 * Finds the stored values that equal a value, with or without the line break at its end, in all environments, removed ones
 * too, or in one: current ones, those that secrets can be rolled back to, and those of deleted secrets; and the API keys
 * that received them, as far as counters of reads are kept. Each actor asks 30 times a day at most. The audit log records
 * the question and how many values were found before anything is returned, never the value.
 */
export const whoHas = async (
  table: Table,
  kms: VaultUnwrap,
  change: Change,
  { value: asked, environment }: { readonly value: string; readonly environment?: string | undefined },
): Promise<WhoHas> => {
  await countQuestion(table, change.actor.id, change.at);
  // A file ends with a line break that the value often has not.
  const forms = [asked, asked.replace(LINE_END, '')];
  const readSecretsOf = createReadSecrets(table);
  const [vaults, keys, reads] = await Promise.all([
    environment === undefined ? everyVault(table) : [vaultIn(table, environment, true)],
    allApiKeys(table),
    readSecretReads(table, table.settings.accessDays, change.at),
  ]);
  let unopened = 0;
  const foundIn = await inParallel(vaults, async (vault) => {
    const privateKey = createPrivateKeys(vault, kms);
    const values = await storedValues(vault, change.at, forms);
    const equal = await inParallel(values, async (stored): Promise<FoundValue[]> => {
      const { entry, value, isDeleted } = stored;
      const opened = await openValue(vault, privateKey, entry, value);
      if (opened === undefined) unopened += 1;
      if (opened === undefined || !forms.includes(opened)) return [];
      const isCurrent = value.replacedAt === undefined;
      return [
        {
          environment: vault.environment,
          secretId: entry.secretId,
          key: entry.key,
          number: value.number,
          state: isDeleted ? 'deleted' : isCurrent ? 'current' : 'former',
          receivers: await receiversOf(readSecretsOf, keys, reads, vault, stored, change.at),
        },
      ];
    });
    return equal.flat();
  });
  const found = foundIn.flat();
  await commitChange(table, change, {
    action: 'vault.who-has',
    subject: 'vault',
    name: 'vault',
    details: { found: found.length },
    environment,
  });
  if (found.length === 0)
    countMetric({ name: UNKNOWN_VALUES, level: 'warn' }, 'no stored value equals the one asked for', {
      requestId: change.requestId,
    });
  return { found, unopened };
};
