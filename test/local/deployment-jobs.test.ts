import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import { listKeyPairs } from '../../lambdas/store/vault-keys/all-key-pairs.ts';
import { keyPairKey, VAULT_KEY_PAIR } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { awsFailure } from '../../local/aws/reply.ts';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { callsTo } from '../support/calls.ts';
import { newFolder } from '../support/new-folder.ts';
import { changeAt } from '../support/rows/table.ts';
import { resignRow, rewriteEntries } from '../support/rows/tampering.ts';
import { day } from '../support/rows/vault.ts';

const logs: string[] = [];
let dataFolder: string;
beforeEach(() => {
  dataFolder = newFolder();
  logs.length = 0;
});

const start = (hooks: InstanceOptions['hooks'] = {}): Promise<Instance> =>
  startInstance({ dataFolder, port: 0, sample: false, onLog: (line) => logs.push(line), hooks });

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
  const first = await start();
  await createSecret(first.table, changeAt(), { key: 'DAMAGED', value: 'x' });
  await createSecret(first.table, changeAt(), { key: 'WHOLE', value: 'still here' });
  await damage(first, 'DAMAGED');
  await makeKeyPairOld(first);
  await first.stop();
  const again = await start();
  const { json } = await callsTo(again).post('/api/vault/get-secrets', { key: 'WHOLE' });
  await again.stop();
  expect(json.res).toEqual({ WHOLE: 'still here' });
  expect(logs.join('')).toContain('The job vault-rotate failed');
});

test('a start fails if the vault cannot be created', async () => {
  const intercept = ({ target }: { target: string }) =>
    target.startsWith('TrentService.') ? awsFailure('KMSInternalException', 'Injected.') : undefined;
  await expect(start({ intercept })).rejects.toThrow(/^The vault could not be created/);
});
