import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { RESTRICTIONS } from '../api-keys/restrictions.ts';
import { type Change, commitChange, SYSTEM } from '../audit.ts';
import { noteFormat, requireFormat } from '../format.ts';
import type { StartJob } from '../jobs.ts';
import { LABEL_PROTECTION } from '../prompts/protection.ts';
import { putSigned } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, retryOnConflict, transact, transactIf } from '../transactions.ts';
import { changeVault } from '../vault/changes.ts';
import { ENVIRONMENTS, newEnvironment, readEnvironments } from '../vault/environments.ts';
import { findVaultHead, readVaultHead } from '../vault/head.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import { isRecentlyRotated, retirePairs } from './all-key-pairs.ts';
import { emptyVault, unmarkNew } from './creation.ts';
import {
  createPrivateKeys,
  findKeyPair,
  keyContext,
  VAULT_KEY_PAIR,
  type VaultKeyPair,
} from './key-pairs.ts';
import { reencryptVault } from './reencrypt.ts';
import type { VaultKms } from './rotation-kms.ts';

const systemChange = (at: Date): Change => ({
  at,
  actor: SYSTEM,
  requestId: `vault-rotate-${randomBase62(8)}`,
  isAdmin: true,
});

const makePair = async (vault: Vault, kms: VaultKms, keyVersion: number, at: Date): Promise<VaultKeyPair> => {
  const { publicKey, wrappedPrivateKey } = await kms.generatePair(keyContext(vault, keyVersion));
  const { environment } = vault;
  return { environment, keyVersion, publicKey, wrappedPrivateKey, createdAt: at.toISOString() };
};

/**
 * Creates the vault's first key pair, an empty vault, and the rows of restrictions and environments, unless they exist.
 * Returns whether it created them. Call it only for the first deployment or the first local start, never because rows
 * are missing.
 */
export const ensureVaultKey = async (vault: Vault, kms: VaultKms, now: Date): Promise<boolean> => {
  if ((await findVaultHead(vault)) !== undefined) return false;
  const environments = [newEnvironment(vault.environment)];
  return transactIf(vault, [
    ...(await emptyVault(vault, systemChange(now), [await makePair(vault, kms, 1, now)])),
    ...(await Promise.all([
      putSigned(vault, LABEL_PROTECTION, { rev: 1, labels: [] }),
      putSigned(vault, RESTRICTIONS, { revision: 1, keys: [] }),
      putSigned(vault, ENVIRONMENTS, { revision: 1, environments }),
    ])),
    noteFormat(),
  ]);
};

/**
 * Creates the vaults of new environments, each with its head, its page and its key pair in the transaction that removes
 * the mark. Returns their names.
 */
export const createVaults = async (table: Table, kms: VaultKms, now: Date): Promise<string[]> => {
  const created: string[] = [];
  for (const { name } of (await readEnvironments(table)).environments.filter(
    ({ state }) => state === 'new',
  )) {
    const vault = vaultIn(table, name);
    const pair = await makePair(vault, kms, 1, now);
    const isCreated = await retryOnConflict(async () => {
      const writes = await unmarkNew(vault);
      if (writes.length === 0) return false;
      await transact(table, [...(await emptyVault(vault, systemChange(now), [pair])), ...writes]);
      return true;
    });
    if (isCreated) created.push(name);
  }
  return created;
};

export interface RotationOptions {
  readonly now: Date;
  /** The age in days at which a key pair is replaced. */
  readonly maxAgeDays: number;
  /**
   * Version of the key pair to replace regardless of its age, at an operator's request. It has no effect if another one
   * is current, or within minutes of a rotation: someone who can only start this job must not be able to fill the
   * table.
   * @default - only the age counts
   */
  readonly replace?: number | undefined;
}

/**
 * Replaces the vault's key pair when it reaches its maximum age, re-encrypts every box from older key pairs, and
 * removes older key pairs once nothing needs them. The next run completes an interrupted one. Returns the version that
 * new boxes are encrypted to, whether this run created it, the number of new boxes, the ids of secrets with a box that
 * does not open (it and its key pair are left unchanged), and the removed versions.
 */
export const rotateVault = async (vault: Vault, kms: VaultKms, options: RotationOptions) => {
  await requireFormat(vault);
  const started = performance.now();
  const change = systemChange(options.now);
  const rotated = await renewPair(vault, kms, change, options);
  const privateKey = createPrivateKeys(vault, kms);
  const { reencrypted, unopened } = await reencryptVault(vault, change, privateKey);
  // Re-encrypting takes minutes in a large vault; an entry with the start time of the run would be written too late to be
  // sealed.
  const at = new Date(options.now.getTime() + performance.now() - started);
  const retired = await retirePairs(vault, { ...change, at });
  const { keyVersion } = await readVaultHead(vault);
  return { keyVersion, rotated, reencrypted, unopened, retired };
};

const renewPair = async (
  vault: Vault,
  kms: VaultKms,
  change: Change,
  { maxAgeDays, replace }: RotationOptions,
) => {
  const { keyVersion } = await readVaultHead(vault);
  const current = await findKeyPair(vault, keyVersion);
  if (current === undefined) throw new Error(`The vault's key pair ${keyVersion} is missing.`);
  const age = change.at.getTime() - Date.parse(current.createdAt);
  const isRequested = replace === keyVersion && !isRecentlyRotated(current, change.at);
  if (!isRequested && age < maxAgeDays * DAY_MS) return false;
  const pair = await makePair(vault, kms, keyVersion + 1, change.at);
  const superseded = { ...current, supersededAt: change.at.toISOString() };
  return changeVault(vault, change, async (head) => {
    if (head.keyVersion !== keyVersion) return { kept: false };
    return {
      head: { keyVersion: pair.keyVersion },
      writes: await Promise.all([
        putSigned(vault, VAULT_KEY_PAIR, pair),
        putSigned(vault, VAULT_KEY_PAIR, superseded, { keyVersion }),
      ]),
      audit: { action: 'vault.rotate', details: { keyVersion: pair.keyVersion } },
      result: true,
    };
  });
};

/** The event with which the job `vault-rotate` replaces a key pair at an operator's request. */
export interface RotationRequest {
  readonly environment: string;
  /** Version of the key pair to replace. No other one is replaced, so a repeated event has no effect. */
  readonly replace: number;
}

/** Starts the job that replaces the key pair of this version, after the request is in the audit log. */
export const requestRotation = async (
  vault: Vault,
  startJob: StartJob<RotationRequest>,
  change: Change,
  keyVersion: number,
): Promise<void> => {
  const head = await readVaultHead(vault);
  if (head.keyVersion !== keyVersion) throw new ConflictError('vault');
  const pair = await findKeyPair(vault, keyVersion);
  if (pair === undefined) throw new ConflictError('vault');
  if (isRecentlyRotated(pair, change.at)) {
    throw new CuevaultError(
      'rotated_recently',
      `The key pair was replaced less than ${LIMITS.rotationMinutes} minutes ago. Try again later.`,
    );
  }
  const { environment } = vault;
  await commitChange(vault, change, {
    action: 'vault.request-rotation',
    subject: 'vault',
    name: 'vault',
    details: { keyVersion },
    environment,
  });
  await startJob({ environment, replace: keyVersion });
};
