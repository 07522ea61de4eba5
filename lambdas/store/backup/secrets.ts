import type { KeyPairRecord, Position, SecretRecord } from '../../../contract/shapes/backup.ts';
import { inBatches } from '../../core/batches.ts';
import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
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
import type { VaultKeyPair } from '../vault-keys/key-pairs.ts';
import type { Step } from './records.ts';

/** Seals a value of a secret for the backup. */
export type Reencrypt = (
  secret: Pick<SecretEntry, 'secretId' | 'key'>,
  value: EncryptedValue,
) => Promise<Pick<EncryptedValue, 'box' | 'keyVersion'>>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

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
