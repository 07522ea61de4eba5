import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { BatchGetCommandInput, PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { withHotRows } from '../../lambdas/store/batched-reads.ts';
import { readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { writeAuditRead } from '../../lambdas/store/secrets/audit-read.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { readVaultHead } from '../../lambdas/store/vault/head.ts';
import type { Vault } from '../../lambdas/store/vault/vault.ts';
import { intercepted } from '../support/aws/intercept.ts';
import { readOf } from '../support/rows/audit.ts';
import { accessOf } from '../support/rows/usage.ts';
import { bundleFloor } from './floor.ts';
import type * as BareCalls from './floors/bare-calls.ts';
import type { Deployment } from './service.ts';

/** The inputs of the calls that `work` makes as a function does that applications call. */
const recorded = async (table: Vault, work: (table: Vault) => Promise<unknown>): Promise<BareCalls.Steps> => {
  const inputs = new Map<string, unknown>();
  const watched = intercepted(table, ({ name, input }, next) => {
    inputs.set(name, input);
    return next();
  });
  await work({ ...watched, ...withHotRows(watched) });
  return {
    read: inputs.get('BatchGetCommand') as BatchGetCommandInput,
    put: inputs.get('PutCommand') as PutCommandInput | undefined,
  };
};

const bare = async (steps: BareCalls.Steps): Promise<() => Promise<void>> => {
  const { href } = pathToFileURL(await bundleFloor('bare-calls'));
  // Loaded again, so that its client belongs to the latest deployment.
  const { call } = (await import(`${href}?${randomUUID()}`)) as typeof BareCalls;
  return () => call(steps, `${new Date().toISOString()}#${randomUUID()}`);
};

/** The bare calls of a warm `prompt-get-compiled`. */
export const barePrompt = async ({ table, keyId }: Deployment, promptId: string) =>
  bare(
    await recorded(table, async (watched) => {
      await Promise.all([findApiKey(watched, keyId), readPromptHead(watched, promptId)]);
      await recordAccess(watched, accessOf({ promptId, at: new Date(), apiKeyId: keyId }));
    }),
  );

/** The bare calls of a warm `vault-get-secrets`. */
export const bareVault = async ({ table, keyId }: Deployment) =>
  bare(
    await recorded(table, async (watched) => {
      const [{ revision, count }] = await Promise.all([readVaultHead(watched), findApiKey(watched, keyId)]);
      const made = { at: new Date(), requestId: randomUUID(), digest: '0'.repeat(64) };
      await writeAuditRead(watched, readOf({ ...made, apiKeyId: keyId, revision, count }));
    }),
  );

/** The bare read of a refused call. */
export const bareKey = async ({ table, keyId }: Deployment) =>
  bare(await recorded(table, (watched) => findApiKey(watched, keyId)));
