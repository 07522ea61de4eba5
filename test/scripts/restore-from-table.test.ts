import type { ApiKeyChoice } from '../../contract/shapes/backup.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { apiKeyKey, findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { RESTRICTIONS_KEY, readRestrictions } from '../../lambdas/store/api-keys/restrictions.ts';
import { adoptKeyPairs } from '../../lambdas/store/backup/adopt-key-pairs.ts';
import { exportPage } from '../../lambdas/store/backup/export.ts';
import { restorePage } from '../../lambdas/store/backup/restore.ts';
import { headKey, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { PROTECTION_KEY, protectLabel, readProtection } from '../../lambdas/store/prompts/protection.ts';
import { deleteVersion, publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { readVersion, versionKey } from '../../lambdas/store/prompts/versions.ts';
import type { Item, Key } from '../../lambdas/store/table.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { ENVIRONMENTS_KEY, readEnvironments } from '../../lambdas/store/vault/environments.ts';
import { readVaultHead, vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { listRevisions } from '../../lambdas/store/vault/history.ts';
import { pageKey } from '../../lambdas/store/vault/page-rows.ts';
import { setServing } from '../../lambdas/store/vault/serving.ts';
import { keyPairKey } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { restoreFromTable } from '../../scripts/backup/load.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { allItems, changeAt, expectRefused } from '../support/rows/table.ts';
import { editRow, plantRow } from '../support/rows/tampering.ts';
import { kms, onDay, readAll, secretsOn, table, vaults, withTestVaults } from '../support/rows/vault.ts';

withTestVaults();

const LABEL = 'production';
const VALUES = { DATABASE: 'second', QUEUE: 'q' };

/** The commands of a deployment, without Lambda. */
const deployed = () => ({
  invoke: async (id: string, input: unknown) => {
    const { trusted: _, apiKeys, ...made } = input as never as Item & { apiKeys: ApiKeyChoice };
    const change = changeAt(new Date());
    if (id === 'backup-export') return exportPage(table, change, made as never);
    if (id === 'backup-adopt-keys') return adoptKeyPairs(table, kms, change, made as never);
    return restorePage(table, change, made as never, { apiKeys });
  },
  close: async () => undefined,
});

const filled = async () => {
  const { promptId } = await newPrompt(table);
  await publishVersion(table, onDay(0), promptId, { ...content('Two'), bump: 'minor' });
  await setLabel(table, onDay(0), promptId, LABEL, '1.0.0');
  await protectLabel(table, onDay(0), LABEL);
  const { secretId } = await secretsOn(0).create('DATABASE', 'first');
  await secretsOn(0).update(secretId, 'second');
  await secretsOn(0).create('QUEUE', 'q', ['web']);
  const limits = { name: 'web', permissions: ['secrets'] as const, tags: ['web'] };
  const { keyId } = (await createApiKey(table, onDay(0), limits)).record;
  const copy = await vaults.copy(table);
  const restore = async (apiKeys?: ApiKeyChoice) =>
    (await restoreFromTable(deployed(), copy.name, apiKeys)).restored;
  return { promptId, secretId, keyId, copy, restore };
};

type Filled = Awaited<ReturnType<typeof filled>>;

/** Everything that can be restored, as readers see it. */
const stateOf = async ({ promptId, keyId, secretId }: Filled) => ({
  head: await readPromptHead(table, promptId),
  versions: await Promise.all(['1.0.0', '1.1.0'].map((version) => readVersion(table, promptId, version))),
  labels: (await readProtection(table)).labels,
  apiKey: await findApiKey(table, keyId),
  restrictions: (await readRestrictions(table)).keys,
  environments: (await readEnvironments(table)).environments,
  secretId,
});

const keysOf = async ({ promptId, keyId }: Filled): Promise<Record<string, Key>> => ({
  head: headKey(promptId),
  version: versionKey(promptId, '1.0.0'),
  protection: PROTECTION_KEY,
  'API key': apiKeyKey(keyId),
  restrictions: RESTRICTIONS_KEY,
  environments: ENVIRONMENTS_KEY,
  'key pair': keyPairKey(table, 1),
  'page of the vault': pageKey(table, (await readVaultHead(table)).pages[0]?.id ?? ''),
});

const forged = { signature: Buffer.from('x'), body: Buffer.from('x') };

test.each([
  'head',
  'version',
  'protection',
  'API key',
  'restrictions',
  'environments',
  'key pair',
  'page of the vault',
])(
  'the %s is restored from the copy if it is removed or forged, and repeating it changes nothing',
  async (row) => {
    const world = await filled();
    const before = await stateOf(world);
    for (const damage of [deleteItem, (on: typeof table, key: Key) => editRow(on, key, forged)]) {
      const { [row]: key = headKey('none') } = await keysOf(world);
      await damage(table, key);
      await world.restore();
      expect(await stateOf(world)).toEqual(before);
      expect(await readAll()).toEqual(VALUES);
      expect(await readVaultHead(table)).toMatchObject({ count: 2, bytes: 'secondq'.length });
      expect(await world.restore()).toMatchObject({ written: 0, kept: [] });
    }
  },
);

test('a vault whose head was removed or forged is restored, and serves nothing before an administrator starts it', async () => {
  const { restore } = await filled();
  for (const damage of [deleteItem, (on: typeof table, key: Key) => editRow(on, key, { count: 9 })]) {
    const { revision } = await readVaultHead(table);
    await damage(table, vaultHeadKey(table));
    await restore();
    await expectRefused(readAll(), 'vault_stopped');
    await setServing(table, changeAt(), true);
    expect(await readAll()).toEqual(VALUES);
    expect((await readVaultHead(table)).revision).toBeGreaterThan(revision);
    const revisions = (await Array.fromAsync(listRevisions(table))).map((each) => each.revision.revision);
    expect(new Set(revisions).size).toBe(revisions.length);
  }
});

test.each<[string, (key: Key) => Promise<void>]>([
  ['removed', (key) => deleteItem(table, key)],
  ['forged', (key) => editRow(table, key, { revokedAt: undefined })],
])('no revocation is undone, also of a key whose record was %s since', async (_, damage) => {
  const { keyId, restore } = await filled();
  await revokeApiKey(table, changeAt(new Date()), keyId);
  await damage(apiKeyKey(keyId));
  await restore();
  expect(await findApiKey(table, keyId)).toMatchObject({ hash: '', revokedAt: expect.any(String) });
  expect((await readRestrictions(table)).keys).toMatchObject([{ keyId }]);
});

test('no stop is undone, and what changed since the copy stays', async () => {
  const world = await filled();
  const { promptId, secretId, keyId } = world;
  await secretsOn().update(secretId, 'third');
  await secretsOn().create('NEW', 'n');
  await publishVersion(table, changeAt(), promptId, { ...content('Three'), bump: 'minor' });
  await deleteVersion(table, changeAt(), promptId, '1.1.0');
  await setServing(table, changeAt(), false, 'a drill');
  const before = await stateOf(world);
  const { written } = await world.restore('revoke');
  expect(written).toBe(0);
  expect(await stateOf(world)).toEqual(before);
  expect((await findApiKey(table, keyId))?.revokedAt).toBeUndefined();
  expect(await readVaultHead(table)).toMatchObject({ stoppedReason: 'a drill', count: 3 });
});

test('operators never come back, and no other table is read', async () => {
  const { copy, restore } = await filled();
  const operator = { pk: `${PARTITIONS.operator}1`, sk: 'OPERATOR', status: 'active', group: 'admin' };
  await plantRow(copy, operator);
  await restore();
  expect((await allItems(table)).filter(({ pk }) => pk === operator.pk)).toEqual([]);
  await expect(restoreFromTable(deployed(), 'another-table')).rejects.toThrow(
    `"another-table" is not a copy of the table: restore into a new table whose name begins with "${table.name}-restored-".`,
  );
});
