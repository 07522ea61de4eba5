import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { VAULT_KEY_DAYS } from '../../contract/functions/jobs.ts';
import { answerCloudFormation, retryWhileDenied } from '../core/cloudformation.ts';
import { withAttempts } from '../core/parallel.ts';
import { job, log } from '../log.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { vaultIn } from '../store/vault/vault.ts';
import { everyVault } from '../store/vault/vaults.ts';
import {
  createVaults,
  ensureVaultKey,
  type RotationRequest,
  rotateVault,
} from '../store/vault-keys/rotation.ts';
import { connectRotationKms } from '../store/vault-keys/rotation-kms.ts';

const table = connectSigningTable();
const kms = connectRotationKms();

type Event = Partial<CloudFormationCustomResourceEvent & RotationRequest>;

const isForCloudFormation = (event: Event): event is CloudFormationCustomResourceEvent =>
  event.ResponseURL !== undefined;

/** Creates the vault. Only the first deployment and the first local start call it. */
const create = async (): Promise<Record<string, string>> => {
  const created = await retryWhileDenied(() => ensureVaultKey(vaultIn(table), kms, new Date()));
  log('info', 'vault created', { created });
  return {};
};

/**
 * Creates the vaults of new environments and rotates the key pairs of all. Throws if something needs repair; a failure
 * does not stop the rest.
 */
const rotate = ({ environment, replace }: Event) =>
  withAttempts('Vaults need repair.', async (attempt) => {
    await attempt(async () => {
      const created = await createVaults(table, kms, new Date());
      if (created.length > 0) log('info', 'vaults created', { environments: created });
    });
    for (const vault of await everyVault(table))
      await attempt(async () => {
        const wanted = vault.environment === environment ? replace : undefined;
        const report = await rotateVault(vault, kms, {
          now: new Date(),
          maxAgeDays: VAULT_KEY_DAYS,
          replace: wanted,
        });
        log('info', 'vault keys checked', { environment: vault.environment, ...report });
        if (report.unopened.length > 0)
          throw new Error(
            `Stored values of ${report.unopened.length} secrets of "${vault.environment}" cannot be decrypted; the log contains their ids.`,
          );
      });
  });

/** Creates the vault when the stack is created; checks its key pairs at any other time. */
export const handler = job('vault keys not checked', async (event: Event = {}) => {
  if (isForCloudFormation(event)) {
    // An update or a removal of the stack changes nothing about the vault.
    await answerCloudFormation(event, 'vault', event.RequestType === 'Create' ? create : async () => ({}));
  } else if (event.RequestType === 'Create') await create();
  else await rotate(event);
});
