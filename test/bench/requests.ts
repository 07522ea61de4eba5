import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { GetCommandInput, PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { writeAuditRead } from '../../lambdas/store/audit-calls.ts';
import { readHead as readPromptHead } from '../../lambdas/store/prompts/head.ts';
import type { Table } from '../../lambdas/store/table.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { readHead as readVaultHead } from '../../lambdas/store/vault/head.ts';
import { intercepted } from '../support/aws/intercept.ts';
import { bundleFloor } from './floor.ts';
import type * as BareCalls from './floors/bare-calls.ts';
import type { Deployment } from './service.ts';

/** The inputs of the three calls that `work` makes. */
const recorded = async (table: Table, work: (table: Table) => Promise<unknown>) => {
  const inputs = new Map<string, unknown[]>();
  await work(
    intercepted(table, ({ name, input }, next) => {
      inputs.set(name, [...(inputs.get(name) ?? []), input]);
      return next();
    }),
  );
  const of = (name: string) => inputs.get(name) ?? [];
  return {
    gets: of('GetCommand') as GetCommandInput[],
    put: of('PutCommand')[0] as PutCommandInput,
  };
};

const request = () => ({
  at: new Date(),
  requestId: randomUUID(),
  sourceIp: '203.0.113.7',
  userAgent: 'application/1.0',
});

const bare = async (steps: BareCalls.TwoSteps): Promise<() => Promise<void>> => {
  const { href } = pathToFileURL(await bundleFloor('bare-calls'));
  // Loaded again, so that its client belongs to the latest deployment.
  const { call } = (await import(`${href}?${randomUUID()}`)) as typeof BareCalls;
  return () => call(steps, `${new Date().toISOString()}#${randomUUID()}`);
};

/** The bare calls of a warm `prompt-get-compiled`. */
export const barePrompt = async ({ table, keyId }: Deployment, promptId: string) =>
  bare(
    await recorded(table, async (watched) => {
      await findApiKey(watched, keyId);
      await readPromptHead(watched, promptId);
      await recordAccess(watched, {
        ...request(),
        ...{ promptId, version: '1.0.0', apiKeyId: keyId, apiKeyName: 'bench' },
        ...{ compiled: true, metaProperties: {} },
      });
    }),
  );

/** The bare calls of a warm `vault-get-secrets`. */
export const bareVault = async ({ table, keyId }: Deployment) => {
  const made = request();
  const digest = '0'.repeat(64);
  return bare(
    await recorded(table, async (watched) => {
      await findApiKey(watched, keyId);
      const { revision, count } = await readVaultHead(watched);
      await writeAuditRead(watched, {
        ...made,
        ...{ apiKeyId: keyId, apiKeyName: 'bench', filter: {}, restriction: [] },
        ...{ revision, count, digest },
      });
    }),
  );
};
