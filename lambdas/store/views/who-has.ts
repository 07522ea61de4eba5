import { utf8Bytes } from '../../../contract/limits.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { earlier, later } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { BoxError, open } from '../../core/vault/encryption.ts';
import type { EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { auditChange, type Change } from '../audit.ts';
import { listDeletedEntries, readEntries } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { transact } from '../transactions.ts';
import { readSecretReads, type SecretReads } from '../usage/days.ts';
import { createReadSecrets, type ReadSecrets } from '../usage/secret-reads.ts';
import { currentVaults } from '../vault/environments.ts';
import { earlierValues } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { createPrivateKeys, type PrivateKeys, type VaultUnwrap } from '../vault-keys/key-pairs.ts';

/** An API key or trust that received a value. */
export interface Receiver {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly isActive: boolean;
  /** Whether a read is known to have returned the value; otherwise it may have been the value before or after. */
  readonly isCertain: boolean;
  /** The days (UTC) of its first and last read that may have returned the value. */
  readonly from: string;
  readonly to: string;
  /** Whether its last read may have returned the value: it has received no other one since. */
  readonly stillHasIt: boolean;
}

/** A stored value that equals the one asked for. */
export interface FoundValue {
  readonly environment: string;
  readonly secretId: string;
  readonly key: string;
  readonly number: number;
  readonly state: 'current' | 'former' | 'deleted';
  readonly receivers: readonly Receiver[];
}

export interface WhoHas {
  readonly found: readonly FoundValue[];
  /** How many stored values do not open, and so were not compared. */
  readonly unopened: number;
}

interface Stored {
  readonly entry: SecretEntry;
  readonly value: EncryptedValue & { readonly replacedAt?: string };
  readonly isDeleted: boolean;
  /** When an earlier value was current again, reads before that may have returned it, too. */
  readonly wasCurrentBefore: boolean;
}

// Also the values of a secret that was deleted: the credential in them may still work.
const storedValues = async (vault: Vault, now: Date, bytes: number): Promise<Stored[]> => {
  const [{ entries }, deleted] = await Promise.all([readEntries(vault), listDeletedEntries(vault, now)]);
  const stored = await inParallel(
    [
      ...entries.map((entry) => ({ entry, isDeleted: false })),
      ...deleted.map(({ entry }) => ({ entry, isDeleted: true })),
    ],
    async (secret): Promise<Stored[]> => {
      const values: Stored['value'][] = [secret.entry, ...(await earlierValues(vault, secret.entry))];
      return values.map((value) => ({
        ...{ ...secret, value },
        wasCurrentBefore: values.some(
          (other) => other.number > value.number && other.changedAt < value.changedAt,
        ),
      }));
    },
  );
  // No other can equal it, so no other is opened.
  return stored.flat().filter(({ value }) => value.bytes === bytes);
};

const isEqual = async (
  { environment, settings }: Vault,
  privateKey: PrivateKeys,
  { entry: { key, secretId }, value: { number, keyVersion, box } }: Stored,
  asked: string,
): Promise<boolean | undefined> => {
  const pair = await privateKey(keyVersion);
  try {
    const context = { stage: settings.stage, environment, key, secretId, number, keyVersion };
    return open(pair, context, box) === asked;
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
};

/** Whether the reads of a day returned a value: `undefined` if only some of them may have. */
const returned = (
  { lastAt, count }: SecretReads,
  { value: { changedAt, replacedAt }, wasCurrentBefore }: Stored,
): boolean | undefined => {
  if (lastAt >= changedAt && (replacedAt === undefined || lastAt < replacedAt)) return true;
  if (lastAt < changedAt) return wasCurrentBefore ? undefined : false;
  // The last read of the day came after it was replaced; earlier ones are only counted.
  return count > 1 && lastAt.slice(0, 10) <= (replacedAt ?? '').slice(0, 10) ? undefined : false;
};

const receiverOf = (key: ApiKey, reads: readonly SecretReads[], stored: Stored, now: Date): Receiver[] => {
  const possible = reads.filter((read) => returned(read, stored) !== false);
  const days = possible.map(({ lastAt }) => lastAt.slice(0, 10));
  const [first] = days;
  if (first === undefined) return [];
  const lastRead = reads.reduce((last, read) => (read.lastAt > last.lastAt ? read : last));
  return [
    {
      ...{ apiKeyId: key.keyId, apiKeyName: key.name, isActive: statusOf(key, now) === 'active' },
      isCertain: possible.some((read) => returned(read, stored) === true),
      ...{ from: days.reduce(earlier, first), to: days.reduce(later, first) },
      stillHasIt: possible.includes(lastRead) && returned(lastRead, stored) === true,
    },
  ];
};

const receiversOf = async (
  readSecretsOf: ReadSecrets,
  keys: readonly ApiKey[],
  reads: readonly SecretReads[],
  stored: Stored,
  now: Date,
): Promise<Receiver[]> => {
  const { secretId } = stored.entry;
  const ofSecret = await inParallel(reads, async (read) =>
    (await readSecretsOf(read.digest)).includes(secretId) ? [read] : [],
  );
  const byKey = Map.groupBy(ofSecret.flat(), ({ apiKeyId }) => apiKeyId);
  return keys.flatMap((key) => receiverOf(key, byKey.get(key.keyId) ?? [], stored, now));
};

/**
 * Finds the stored values that equal a value, in all environments: current ones, those that secrets can be rolled back
 * to, and those of deleted secrets; and the API keys that received them, as far as counters of reads are kept. The audit
 * log records the question and how many values were found before anything is returned, never the value. Errors:
 * `integrity`, `unavailable`.
 */
export const whoHas = async (
  table: Table,
  kms: VaultUnwrap,
  change: Change,
  asked: string,
): Promise<WhoHas> => {
  const readSecretsOf = createReadSecrets(table);
  const [vaults, keys, reads] = await Promise.all([
    currentVaults(table),
    allApiKeys(table),
    readSecretReads(table, table.settings.accessDays, change.at),
  ]);
  let unopened = 0;
  const found = await inParallel(vaults, async (vault) => {
    const privateKey = createPrivateKeys(vault, kms);
    const values = await storedValues(vault, change.at, utf8Bytes(asked));
    const equal = await inParallel(values, async (stored): Promise<FoundValue[]> => {
      const answer = await isEqual(vault, privateKey, stored, asked);
      if (answer === undefined) unopened += 1;
      if (answer !== true) return [];
      const { entry, value, isDeleted } = stored;
      const isCurrent = value.replacedAt === undefined;
      return [
        {
          ...{ environment: vault.environment, secretId: entry.secretId, key: entry.key },
          ...{ number: value.number, state: isDeleted ? 'deleted' : isCurrent ? 'current' : 'former' },
          receivers: await receiversOf(readSecretsOf, keys, reads, stored, change.at),
        },
      ];
    });
    return equal.flat();
  });
  const all = found.flat();
  const entry = { action: 'vault.who-has', subject: 'vault', name: 'vault', details: { found: all.length } };
  await transact(table, [auditChange(table, change, entry)]);
  return { found: all, unopened };
};
