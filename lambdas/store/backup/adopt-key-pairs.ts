import type { KeyPairRecord, PageWithLines, Restored } from '../../../contract/shapes/backup.ts';
import { inParallel } from '../../core/parallel.ts';
import { importPrivateKey, isPairOf } from '../../core/vault/encryption.ts';
import { type Change, commitChange, stamp } from '../audit.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, retryOnConflict, transact, type Write } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { changeVault } from '../vault/changes.ts';
import { ENVIRONMENTS, ENVIRONMENTS_KEY, newEnvironment } from '../vault/environments.ts';
import { VAULT_HEAD, type VaultHead, vaultHeadKey } from '../vault/head.ts';
import { revisionAfterLoss } from '../vault/history.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import { emptyVault, unmarkNew } from '../vault-keys/creation.ts';
import {
  keyContext,
  keyPairKey,
  VAULT_KEY_PAIR,
  type VaultKeyPair,
  type VaultUnwrap,
} from '../vault-keys/key-pairs.ts';
import { needsRecipient, type Outcome, placeOf, type RowPlace, summarize } from './restored.ts';
import { verifiedRecords } from './verify.ts';

const pairOf = ({ type: _, publicKey, wrappedPrivateKey, ...pair }: KeyPairRecord): VaultKeyPair => ({
  ...pair,
  publicKey: Buffer.from(publicKey, 'base64'),
  wrappedPrivateKey: Buffer.from(wrappedPrivateKey, 'base64'),
});

const elsewhere = () => needsRecipient('The KMS key here does not open the key pairs in this backup.');

/** Requires that KMS opens the private key, so that values encrypted to this pair can be read. */
const requireOpens = async (vault: Vault, { unwrap }: VaultUnwrap, pair: VaultKeyPair) => {
  const context = keyContext(vault, pair.keyVersion);
  const key = await unwrap(pair.wrappedPrivateKey, context)
    .then(importPrivateKey)
    .catch(() => undefined);
  if (key === undefined || !isPairOf(key, pair.publicKey)) throw elsewhere();
};

const ofItsOwn = () => needsRecipient('This vault has secrets of its own, encrypted to its own key pair.');

const requireUnused = ({ highest, reservedUpTo }: VaultHead) => {
  if (highest !== 0 || reservedUpTo !== 0) throw ofItsOwn();
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

/** The head and the key pairs of a vault whose head is lost. It serves nothing before an administrator starts it. */
const replaceLost = async (
  vault: Vault,
  change: Change,
  pairs: readonly VaultKeyPair[],
  head: RowPlace<VaultHead>,
): Promise<Write[]> => {
  const stop = {
    ...stamp(change, 'stopped'),
    stoppedReason: 'Its head was lost, and was restored from a backup.',
  };
  const writes = await emptyVault(vault, change, pairs, {
    revision: await revisionAfterLoss(vault),
    ...stop,
  });
  // What does not verify is replaced, and key pairs that are there are the same.
  return writes.map((write) => {
    if (!('put' in write)) return write;
    const { Item } = write.put;
    return Item?.sk === vaultHeadKey(vault).sk
      ? { ...write, put: { Item, ...head.condition } }
      : { put: { Item } };
  });
};

/** Adopts the key pairs of one environment, and creates its vault if it has none. */
const adoptIn = async (
  vault: Vault,
  kms: VaultUnwrap,
  change: Change,
  stage: string,
  pairs: readonly VaultKeyPair[],
): Promise<Outcome> => {
  const place = await placeOf(vault, VAULT_HEAD, vaultHeadKey(vault));
  const { found: head } = place;
  const places = await inParallel(pairs, async (pair) => ({
    pair,
    ...(await placeOf(vault, VAULT_KEY_PAIR, keyPairKey(vault, pair.keyVersion))),
  }));
  const missing = places.filter(({ found }) => found === undefined);
  const differs = places.some(
    ({ pair, found }) => found !== undefined && Buffer.compare(found.publicKey, pair.publicKey) !== 0,
  );
  if (head !== undefined && missing.length === 0 && !differs) return 'unchanged';
  if (stage !== vault.settings.stage) throw elsewhere();
  for (const pair of pairs) await requireOpens(vault, kms, pair);
  if (head === undefined && differs) throw ofItsOwn();
  if (head === undefined) {
    await retryOnConflict(async () => {
      const mark = await unmarkNew(vault, { add: true });
      const isLost = mark.length === 0;
      const writes = isLost
        ? await replaceLost(vault, change, pairs, place)
        : await emptyVault(vault, change, pairs);
      await transact(vault, [...writes, ...mark]);
    });
    return 'written';
  }
  const keyVersion = Math.max(...pairs.map((pair) => pair.keyVersion));
  const audit = { action: 'vault.import-keys', details: { keyVersion } };
  if (!differs && missing.every(({ pair }) => pair.keyVersion <= head.keyVersion)) {
    const { environment, revision } = head;
    const entry = { ...audit, subject: 'vault', name: 'vault', environment, revision };
    const puts = missing.map(
      async ({ pair, condition }): Promise<Write> => ({
        put: { Item: await signedItem(vault, VAULT_KEY_PAIR, pair), ...condition },
        onConditionFailed: () => new ConflictError('vault'),
      }),
    );
    await commitChange(vault, change, entry, await Promise.all(puts));
    return 'written';
  }
  await changeVault(vault, change, async (head) => {
    requireUnused(head);
    const named = head.pages.map((page) => ({ ...page, keyVersion }));
    const items = await Promise.all(pairs.map((pair) => signedItem(vault, VAULT_KEY_PAIR, pair)));
    return {
      head: { keyVersion, pages: named },
      writes: [...items.map((Item) => ({ put: { Item } })), ...replaced(head, pairs)],
      audit,
      result: undefined,
    };
  });
  return 'written';
};

/** Writes a new list of environments if the list is missing or does not verify. */
const rebuildEnvironments = async (table: Table, now: Date, names: readonly string[]) => {
  const { found, condition } = await placeOf(table, ENVIRONMENTS, ENVIRONMENTS_KEY);
  if (found !== undefined) return;
  // Above every revision that the lost row had.
  const environments = { revision: now.getTime(), environments: names.map(newEnvironment) };
  await putItemIf(table, { Item: await signedItem(table, ENVIRONMENTS, environments), ...condition });
};

/**
 * Gives vaults that never had a secret the key pairs of a backup, if the KMS key opens them; an environment that does
 * not exist is added with them. Vaults that lost their head or key pairs get them back, without secrets and stopped.
 * Does nothing for vaults that have them.
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
  const pairs = Map.groupBy(records.map(pairOf), (pair) => pair.environment);
  await rebuildEnvironments(table, change.at, [...pairs.keys()]);
  for (const [environment, own] of pairs) {
    const outcome = await adoptIn(vaultIn(table, environment), kms, change, made.page.stage, own);
    outcomes.push(...own.map(() => outcome));
  }
  return summarize(outcomes);
};
