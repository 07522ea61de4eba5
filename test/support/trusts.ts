import { audienceOf } from '../../contract/issuers.ts';
import { createApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { signToken, workloadKey } from '../../local/identity/keys.ts';
import { openIdentityStore } from '../../local/identity/store.ts';
import { currentInstance } from './admin.ts';
import { changeAt } from './rows/table.ts';

/** A trust of workers with tokens of the local issuer. */
export const newTrust = async (given: Partial<Parameters<typeof createApiKey>[2]> = {}) => {
  const { table, firstRun } = currentInstance();
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
export const localIssuerKey = async () => {
  const database = openIdentityStore(currentInstance().dataFolder);
  return workloadKey(database).finally(() => database.close());
};

/** A token of the local issuer for a worker, some of its claims replaced. */
export const tokenOfWorker = async (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  signToken(await localIssuerKey(), currentInstance().firstRun.identityIssuer, {
    sub: 'worker',
    ...claims,
  });
