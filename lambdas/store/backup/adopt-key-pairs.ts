import type { KeyPairRecord, PageWithLines, Restored } from '../../../contract/backup.ts';
import { invalidRequest } from '../../core/errors.ts';
import { importPrivateKey, isPairOf } from '../../core/vault/encryption.ts';
import type { Change } from '../audit.ts';
import { retryOnConflict } from '../retry.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, transact, type Write } from '../transactions.ts';
import { changeVault } from '../vault/changes.ts';
import { findVaultHead, type VaultHead } from '../vault/head.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import { emptyVault, withoutMark } from '../vault-keys/creation.ts';
import {
  findKeyPair,
  keyContext,
  keyPairKey,
  VAULT_KEY_PAIR,
  type VaultKeyPair,
  type VaultUnwrap,
} from '../vault-keys/key-pairs.ts';
import { type Outcome, summarize } from './restored.ts';
import { verifiedRecords } from './verify.ts';

const pairOf = ({ type: _, publicKey, wrappedPrivateKey, ...pair }: KeyPairRecord): VaultKeyPair => ({
  ...pair,
  publicKey: Buffer.from(publicKey, 'base64'),
  wrappedPrivateKey: Buffer.from(wrappedPrivateKey, 'base64'),
});

const hasPair = async (vault: Vault, { keyVersion, publicKey }: VaultKeyPair): Promise<boolean> => {
  const found = await findKeyPair(vault, keyVersion);
  return found !== undefined && Buffer.compare(found.publicKey, publicKey) === 0;
};

const elsewhere = () =>
  invalidRequest(
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
  throw invalidRequest(
    'This vault has secrets of its own, encrypted to its own key pair. Make a backup with --recipient and the file that "npm run --silent vault-key" prints here.',
  );
};

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

/** Adopts the key pairs of one environment, and creates its vault if it has none. */
const adoptIn = async (
  vault: Vault,
  kms: VaultUnwrap,
  change: Change,
  stage: string,
  pairs: readonly VaultKeyPair[],
): Promise<Outcome> => {
  const present = await Promise.all(pairs.map((pair) => hasPair(vault, pair)));
  if (present.every(Boolean)) return 'unchanged';
  if (stage !== vault.settings.stage) throw elsewhere();
  for (const pair of pairs) await requireOpens(vault, kms, pair);
  if ((await findVaultHead(vault)) === undefined) {
    await retryOnConflict(async () =>
      transact(vault, [
        ...(await emptyVault(vault, change, pairs)),
        ...(await withoutMark(vault, { add: true })),
      ]),
    );
    return 'written';
  }
  const keyVersion = Math.max(...pairs.map((pair) => pair.keyVersion));
  await changeVault(vault, change, async (head) => {
    requireUnused(head);
    const named = head.pages.map((page) => ({ ...page, keyVersion }));
    const items = await Promise.all(pairs.map((pair) => signedItem(vault, VAULT_KEY_PAIR, pair)));
    return {
      head: { keyVersion, pages: named },
      writes: [...items.map((Item) => ({ put: { Item } })), ...replaced(head, pairs)],
      audit: { action: 'vault.import-keys', details: { keyVersion } },
      result: undefined,
    };
  });
  return 'written';
};

/**
 * Gives vaults that never had a secret the key pairs of a backup, if the KMS key opens them; an environment that does
 * not exist is added with them. Does nothing for vaults that have them. Errors: `invalid_request` if KMS does not open
 * them or a vault was used, `integrity`, `unavailable`.
 */
export const adoptKeyPairs = async (
  table: Table,
  kms: VaultUnwrap,
  change: Change,
  made: PageWithLines,
  trusted?: string,
): Promise<Restored> => {
  const records = verifiedRecords(table, made, trusted).filter((record) => record.type === 'key-pair');
  const outcomes: Outcome[] = [];
  for (const [environment, own] of Map.groupBy(records.map(pairOf), (pair) => pair.environment)) {
    const outcome = await adoptIn(vaultIn(table, environment), kms, change, made.page.stage, own);
    outcomes.push(...own.map(() => outcome));
  }
  return summarize(outcomes);
};
