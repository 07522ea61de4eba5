import type { KeyPairRecord, Position, Recipient, SecretRecord } from '../../../contract/shapes/backup.ts';
import { inBatches } from '../../core/batches.ts';
import { assertValid, CuevaultError, invalidRequest } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { encryptValue, isVaultPublicKey } from '../../core/vault/encrypting.ts';
import type { EarlierValue, EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import { noEnvironment } from '../vault/environments.ts';
import { readVaultHead, type VaultHead } from '../vault/head.ts';
import { earlierHead } from '../vault/history.ts';
import { readPage } from '../vault/page-rows.ts';
import { earlierValues } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { currentVaults } from '../vault/vaults.ts';
import { listKeyPairs } from '../vault-keys/all-key-pairs.ts';
import { boxContext, openValue, type PrivateKeys, type VaultKeyPair } from '../vault-keys/key-pairs.ts';
import type { Step } from './records.ts';

/** Seals a value of a secret for the backup. */
type Reencrypt = (
  secret: Pick<SecretEntry, 'secretId' | 'key'>,
  value: EncryptedValue,
) => Promise<Pick<EncryptedValue, 'box' | 'keyVersion'>>;

/** Returns a function that opens a value of a vault and seals it to the same environment of another installation. */
export const reencryptTo = (
  vault: Vault,
  privateKey: PrivateKeys,
  recipients: readonly Recipient[],
): Reencrypt => {
  const recipient = recipients.find((each) => each.environment === vault.environment);
  if (recipient === undefined)
    return async () => {
      throw invalidRequest(
        `The other installation has no environment "${vault.environment}". Add it there, and print its file again.`,
      );
    };
  const publicKey = Buffer.from(recipient.publicKey, 'base64');
  assertValid(isVaultPublicKey(publicKey), 'The recipient\'s "publicKey" is not the key of a vault.');
  const { stage, keyVersion } = recipient;
  return async (secret, value) => {
    const opened = await openValue(vault, privateKey, secret, value);
    if (opened === undefined)
      throw new CuevaultError(
        'integrity',
        `A value of the secret ${secret.secretId} does not open. Save it again, or delete it, before the next backup.`,
      );
    const context = { ...boxContext(vault, secret, value), stage, keyVersion };
    return { keyVersion, box: encryptValue(publicKey, context, opened) };
  };
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const keyPairRecord = ({ publicKey, wrappedPrivateKey, ...pair }: VaultKeyPair): KeyPairRecord => ({
  type: 'key-pair',
  ...pair,
  publicKey: base64(publicKey),
  wrappedPrivateKey: base64(wrappedPrivateKey),
});

const encryptedRecord = async <Value extends EncryptedValue>(
  entry: SecretEntry,
  value: Value,
  reencrypt: Reencrypt | undefined,
) => {
  const { keyVersion, box } = reencrypt === undefined ? value : await reencrypt(entry, value);
  return { ...value, keyVersion, box: base64(box) };
};

const secretRecord = async (
  environment: string,
  entry: SecretEntry,
  earlier: readonly EarlierValue[],
  reencrypt: Reencrypt | undefined,
): Promise<SecretRecord> => ({
  type: 'secret',
  environment,
  ...(await encryptedRecord(entry, entry, reencrypt)),
  earlier: await Promise.all(earlier.map((value) => encryptedRecord(entry, value, reencrypt))),
});

/** The revision that the backup continues with, even if the vault has changed since. */
const headOf = async (vault: Vault, revision: number | undefined): Promise<VaultHead> => {
  const head = await readVaultHead(vault);
  if (revision === undefined || revision === head.revision) return head;
  const earlier = await earlierHead(vault, revision);
  if (earlier !== undefined) return earlier;
  throw new CuevaultError(
    'value_not_found',
    `Revision ${revision} of the vault is gone: the backup was interrupted for too long. Start a new one.`,
  );
};

interface SecretPlace {
  readonly entry: SecretEntry;
  readonly after: Position;
}

async function* placesFrom(vault: Vault, start: Position['secret']): AsyncGenerator<SecretPlace> {
  const head = await headOf(vault, start?.revision);
  const { environment } = vault;
  const { page: first = 0, entry: skipped = 0 } = start ?? {};
  for (const [page, ref] of head.pages.entries()) {
    if (page < first) continue;
    const { entries } = await readPage(vault, ref);
    for (const [index, entry] of entries.entries()) {
      if (page === first && index < skipped) continue;
      const { revision } = head;
      yield { entry, after: { section: 'vault', secret: { environment, revision, page, entry: index + 1 } } };
    }
  }
}

/**
 * The secrets of all environments with their earlier values, those of each from one revision of its vault, after the
 * key pairs of all, which a re-encrypted backup omits.
 */
export const secretSteps = (reencryptIn?: (vault: Vault) => Reencrypt) =>
  async function* (table: Table, from: Position): AsyncGenerator<Step> {
    const start = from.secret;
    const vaults = await currentVaults(table);
    if (start === undefined && reencryptIn === undefined)
      for (const pair of (await inParallel(vaults, listKeyPairs)).flat())
        yield { record: keyPairRecord(pair), after: from };
    const begin = vaults.findIndex(({ environment }) => environment === start?.environment);
    if (start !== undefined && begin < 0)
      throw new CuevaultError('environment_not_found', noEnvironment(start.environment));
    for (const [index, vault] of vaults.slice(Math.max(begin, 0)).entries()) {
      const reencrypt = reencryptIn?.(vault);
      yield* inBatches(
        placesFrom(vault, index === 0 ? start : undefined),
        async ({ entry, after }): Promise<Step> => ({
          record: await secretRecord(vault.environment, entry, await earlierValues(vault, entry), reencrypt),
          after,
        }),
      );
    }
  };
