import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import { listKeyPairs } from '../../lambdas/store/vault-keys/all-key-pairs.ts';
import { keyPairKey, VAULT_KEY_PAIR } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { awsFailure } from '../../local/aws/reply.ts';
import type { Instance } from '../../local/instance.ts';
import { openInstance } from '../support/instance.ts';
import { newFolder } from '../support/new-folder.ts';
import { changeAt } from '../support/rows/table.ts';
import { resignRow, rewriteEntries } from '../support/rows/tampering.ts';
import { day } from '../support/rows/vault.ts';

const damage = ({ table }: Instance, key: string): Promise<void> =>
  rewriteEntries(table, changeAt(), (entry) =>
    entry.key === key ? { ...entry, box: entry.box.map((byte) => byte ^ 1) } : entry,
  );

const makeKeyPairOld = async ({ table }: Instance): Promise<void> => {
  const createdAt = day(-365).toISOString();
  for (const { keyVersion } of await listKeyPairs(table))
    await resignRow(table, VAULT_KEY_PAIR, keyPairKey(table, keyVersion), { createdAt });
};

test('a stored value that cannot be decrypted is reported, and blocks neither the start nor other secrets', async () => {
  const dataFolder = newFolder();
  const first = await openInstance({ dataFolder });
  await createSecret(first.table, changeAt(), { key: 'DAMAGED', value: 'x' });
  await createSecret(first.table, changeAt(), { key: 'WHOLE', value: 'still here' });
  await damage(first, 'DAMAGED');
  await makeKeyPairOld(first);
  await first.stop();
  const { post, stop, logs } = await openInstance({ dataFolder });
  const { json } = await post('/api/vault/get-secrets', { key: 'WHOLE' });
  await stop();
  expect(json.res).toEqual({ WHOLE: 'still here' });
  expect(logs.join('')).toContain('The job vault-rotate failed');
});

test('a start fails if the vault cannot be created', async () => {
  const intercept = ({ target }: { target: string }) =>
    target.startsWith('TrentService.') ? awsFailure('KMSInternalException', 'Injected.') : undefined;
  const failed = openInstance({ dataFolder: newFolder(), hooks: { intercept } });
  await expect(failed).rejects.toThrow(/^The vault could not be created/);
});
