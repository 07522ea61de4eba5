import type { KeyPairRecord, PageWithLines, Restored } from '../../../contract/backup.ts';
import { CuevaultError } from '../../core/errors.ts';
import { importPrivateKey, isPairOf } from '../../core/vault/encryption.ts';
import type { Change } from '../audit.ts';
import { signedItem } from '../signing/writes.ts';
import { ConflictError, type Write } from '../transactions.ts';
import { changeVault } from '../vault/changes.ts';
import type { VaultHead } from '../vault/head.ts';
import type { Vault } from '../vault/vault.ts';
import {
  findKeyPair,
  keyContext,
  keyPairKey,
  VAULT_KEY_PAIR,
  type VaultKeyPair,
  type VaultUnwrap,
} from '../vault-keys/key-pairs.ts';
import { summarize } from './restored.ts';
import { verifiedRecords } from './verify.ts';

const pairOf = (
  { environment }: Vault,
  { type: _, publicKey, wrappedPrivateKey, ...pair }: KeyPairRecord,
): VaultKeyPair => ({
  environment,
  ...pair,
  publicKey: Buffer.from(publicKey, 'base64'),
  wrappedPrivateKey: Buffer.from(wrappedPrivateKey, 'base64'),
});

const hasPair = async (vault: Vault, { keyVersion, publicKey }: VaultKeyPair): Promise<boolean> => {
  const found = await findKeyPair(vault, keyVersion);
  return found !== undefined && Buffer.compare(found.publicKey, publicKey) === 0;
};

const elsewhere = () =>
  new CuevaultError(
    'invalid_request',
    'The KMS key here does not open the key pairs in this backup. Make a backup with --recipient and the file that "npm run --silent vault-key" prints here.',
  );

/** Requires that KMS opens the private key, so that values encrypted to this pair can be read. */
const requireOpens = async (vault: Vault, { unwrap }: VaultUnwrap, pair: VaultKeyPair): Promise<void> => {
  const context = keyContext(vault, pair.keyVersion);
  const key = await unwrap(pair.wrappedPrivateKey, context)
    .then(importPrivateKey)
    .catch(() => undefined);
  if (key === undefined || !isPairOf(key, pair.publicKey)) throw elsewhere();
};

const requireUnused = ({ highest, reservedUpTo }: VaultHead): void => {
  if (highest === 0 && reservedUpTo === 0) return;
  throw new CuevaultError(
    'invalid_request',
    'This vault has secrets of its own, encrypted to its own key pair. Make a backup with --recipient and the file that "npm run --silent vault-key" prints here.',
  );
};

const putPair = async (vault: Vault, pair: VaultKeyPair): Promise<Write> => ({
  put: { Item: await signedItem(vault, VAULT_KEY_PAIR, pair) },
});

/** Removes the pair that the unused vault was created with, if no pair takes its number. */
const replaced = (head: VaultHead, pairs: readonly VaultKeyPair[]): Write[] =>
  pairs.some(({ keyVersion }) => keyVersion === head.keyVersion)
    ? []
    : [
        {
          remove: { Key: keyPairKey(head, head.keyVersion) },
          onConditionFailed: () => new ConflictError('vault'),
        },
      ];

/**
 * Gives a vault that never had a secret the key pairs of a backup, if the vault's KMS key opens them. Does nothing if
 * it has them. Errors: `invalid_request` if KMS does not open them or the vault was used, `integrity`, `unavailable`.
 */
export const adoptKeyPairs = async (
  vault: Vault,
  kms: VaultUnwrap,
  change: Change,
  made: PageWithLines,
  trusted?: string,
): Promise<Restored> => {
  const records = verifiedRecords(vault, made, trusted).filter((record) => record.type === 'key-pair');
  const pairs = records.map((record) => pairOf(vault, record));
  const present = await Promise.all(pairs.map((pair) => hasPair(vault, pair)));
  if (present.every(Boolean)) return summarize(pairs.map(() => 'unchanged'));
  if (made.page.stage !== vault.settings.stage) throw elsewhere();
  for (const pair of pairs) await requireOpens(vault, kms, pair);
  const keyVersion = Math.max(...pairs.map((pair) => pair.keyVersion));
  await changeVault(vault, change, async (head) => {
    requireUnused(head);
    const named = head.pages.map((page) => ({ ...page, keyVersion }));
    return {
      head: { keyVersion, pages: named },
      writes: [...(await Promise.all(pairs.map((pair) => putPair(vault, pair)))), ...replaced(head, pairs)],
      audit: { action: 'vault.import-keys', subject: 'vault', name: 'vault', details: { keyVersion } },
      result: undefined,
    };
  });
  return summarize(pairs.map(() => 'written'));
};
