import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { type Change, commitChange } from '../audit.ts';
import type { StartJob } from '../jobs.ts';
import { ConflictError } from '../transactions.ts';
import { readVaultHead } from '../vault/head.ts';
import type { Vault } from '../vault/vault.ts';
import { isRecentlyRotated } from './all-key-pairs.ts';
import { findKeyPair } from './key-pairs.ts';

/** The event with which the job `vault-rotate` replaces a key pair at an operator's request. */
export interface RotationRequest {
  readonly environment: string;
  /** Version of the key pair to replace. No other one is replaced, so a repeated event has no effect. */
  readonly replace: number;
}

/**
 * Starts the job that replaces the key pair of this version, after the request is in the audit log. Errors:
 * `changed_meanwhile` if another key pair is current, `rotated_recently`, `integrity`, `unavailable`.
 */
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
    ...{ action: 'vault.request-rotation', subject: 'vault', name: 'vault' },
    ...{ details: { keyVersion }, environment },
  });
  await startJob({ environment, replace: keyVersion });
};
