import { audienceOf } from '../../contract/issuers.ts';
import { createApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { signToken, workloadKey } from '../../local/identity/keys.ts';
import { openIdentityStore } from '../../local/identity/store.ts';
import type { SharedInstance } from './calls.ts';
import { changeAt } from './rows/table.ts';

/** A trust of workers with tokens of the local issuer. */
export const newTrust = async (
  { table, firstRun }: SharedInstance,
  given: Partial<Parameters<typeof createApiKey>[2]> = {},
) => {
  const { issuer = firstRun.identityIssuer } = given;
  const input = { name: 'worker', kind: 'trust' as const, issuer, match: { '/sub': 'worker' } };
  const { record } = await createApiKey(
    table,
    changeAt(),
    { permissions: ['prompts'], ...input, ...given },
    issuer,
  );
  return { keyId: record.keyId, audience: audienceOf(table.settings.stage, record.keyId) };
};

/** The key of the local issuer. */
export const localIssuerKey = async ({ dataFolder }: SharedInstance) => {
  const database = openIdentityStore(dataFolder);
  return workloadKey(database).finally(() => database.close());
};

/** A token of the local issuer for a worker, some of its claims replaced. */
export const tokenOfWorker = async (
  instance: SharedInstance,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> =>
  signToken(await localIssuerKey(instance), instance.firstRun.identityIssuer, {
    sub: 'worker',
    ...claims,
  });
