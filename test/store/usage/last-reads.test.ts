import { dayOf } from '../../../lambdas/core/days.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { createReleasedSecrets, lastReadsAmong, releasesOf } from '../../../lambdas/store/usage/releases.ts';
import { createVaultReader } from '../../../lambdas/store/vault/reader.ts';
import { createLastReads } from '../../../lambdas/store/views/secret-rows.ts';
import { beforeEachCall, throttled } from '../../support/intercept.ts';
import { changeAt } from '../../support/table.ts';
import { asking, day, openTestVaults, type TestVaults } from '../../support/vault.ts';

let vaults: TestVaults;
beforeAll(async () => {
  vaults = await openTestVaults();
});
afterAll(() => vaults.stop());

test('for each secret the last release is known, and the key that asked', async () => {
  const { table, kms } = await vaults.open();
  const a = await createSecret(table, changeAt(), { key: 'A', value: 'a' });
  const b = await createSecret(table, changeAt(), { key: 'B', value: 'b' });
  const c = await createSecret(table, changeAt(), { key: 'C', value: 'c', tags: ['c'] });
  const reader = createVaultReader(table, kms);
  const read = async (filter: { key?: string; tags?: string[] }, days: number, apiKeyId: string) => {
    const request = asking(filter);
    await reader.release(await reader.head(), {
      ...request,
      caller: { ...request.caller, apiKeyId },
      at: day(days),
    });
  };
  await read({}, 1, 'aaaaaaaa');
  await read({ key: 'A' }, 2, 'bbbbbbbb');
  await read({ key: 'A' }, 2.1, 'cccccccc');
  await read({ tags: ['c'] }, 5, 'aaaaaaaa');
  expect(await createLastReads(table)(day(6))).toEqual(
    new Map([
      [a.secretId, { at: day(2.1).toISOString(), apiKeyId: 'cccccccc', apiKeyName: '' }],
      [b.secretId, { at: day(1).toISOString(), apiKeyId: 'aaaaaaaa', apiKeyName: '' }],
      [c.secretId, { at: day(5).toISOString(), apiKeyId: 'aaaaaaaa', apiKeyName: '' }],
    ]),
  );
  expect([...(await createLastReads(table)(day(33))).keys()]).toEqual([c.secretId]);
});

test('which secrets a digest stands for is written once a day and shard, not at every release', async () => {
  const { table, kms } = await vaults.open();
  await createSecret(table, changeAt(), { key: 'A', value: 'a' });
  let names = 0;
  const counted = beforeEachCall({ ...table, settings: { ...table.settings, shards: 1 } }, (_, input) => {
    if (JSON.stringify(input).includes('VAULTNAMES#')) names += 1;
  });
  const reader = createVaultReader(counted, kms);
  for (let n = 0; n < 5; n++) await reader.release(await reader.head(), asking());
  expect(names).toBe(1);
});

test('what a digest stands for is written by a later release where the first one failed to', async () => {
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(), { key: 'A', value: 'a' });
  let failures = 1;
  const faulty = beforeEachCall(
    { ...table, settings: { ...table.settings, shards: 1 } },
    (operation, input) => {
      const isNames = operation === 'PutCommand' && JSON.stringify(input).includes('VAULTNAMES#');
      if (isNames && failures-- > 0) throw throttled();
    },
  );
  const reader = createVaultReader(faulty, kms);
  await reader.release(await reader.head(), asking());
  const lastReads = createLastReads(table);
  expect([...(await lastReads(day(0))).keys()]).toEqual([]);
  await reader.release(await reader.head(), asking());
  expect([...(await lastReads(day(0))).keys()]).toEqual([secretId]);
});

test('which secrets a digest stands for is read once in the life of a container, up to a bound', async () => {
  const { table, kms } = await vaults.open();
  await createSecret(table, changeAt(), { key: 'A', value: 'a' });
  await createSecret(table, changeAt(), { key: 'B', value: 'b' });
  const reader = createVaultReader(table, kms);
  for (const key of ['A', 'B']) await reader.release(await reader.head(), asking({ key }));
  const releases = await releasesOf(table, dayOf(day(0)));
  let reads = 0;
  const counted = beforeEachCall(table, () => {
    reads += 1;
  });
  const roomy = createReleasedSecrets(counted);
  const narrow = createReleasedSecrets(counted, 1);
  for (const [released, expected] of [
    [roomy, 2],
    [narrow, 3],
  ] as const) {
    reads = 0;
    for (let n = 0; n < 2; n++) expect((await lastReadsAmong(released, releases)).size).toBe(2);
    expect(reads).toBe(expected);
  }
});
