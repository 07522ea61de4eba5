import { PARTITIONS } from '../../../contract/table.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { findSecret, listSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { actorNamed, changeAt } from '../../support/rows/table.ts';
import { day, readAll, vaults, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const secret = { key: 'TOKEN', value: 'v1', tags: ['a', 'b', 'a'] };

test('changing only tags keeps the value, its time and author, and needs no key pair', async () => {
  const { table, kms } = await vaults.open();
  const created = await createSecret(table, changeAt(day(0)), secret);
  const { secretId } = created;
  const watched = beforeEachCall(table, (_, input) => {
    if (JSON.stringify(input).includes(PARTITIONS.vaultKey)) throw new Error('reads the key pair');
  });
  const another = { ...changeAt(day(1)), actor: actorNamed('another@example.com') };
  const updated = await updateSecret(watched, another, secretId, { tags: ['c'] });
  expect(updated).toEqual({ ...created, tags: ['c'] });
  expect((await findSecret(table, secretId)).values).toEqual([]);
  expect(await readAll(table, kms)).toEqual({ TOKEN: 'v1' });
});

test('concurrent changes of tags are not overwritten, and the order of tags does not matter', async () => {
  const { table } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(), secret);
  const late = { tags: ['a', 'b', 'c'], expectedTags: ['b', 'a'] };
  expect((await updateSecret(table, changeAt(), secretId, late)).tags).toEqual(['a', 'b', 'c']);
  await expect(updateSecret(table, changeAt(), secretId, { ...late, tags: [] })).rejects.toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringContaining('"a", "b", "c"'),
  });
  const seen = { tags: [], expectedTags: ['a', 'b', 'c'] };
  expect((await updateSecret(table, changeAt(), secretId, seen)).tags).toEqual([]);
});

test('a rollback restores an earlier value, and no number is used twice', async () => {
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(), secret);
  await updateSecret(table, changeAt(), secretId, { value: 'v2' });
  await updateSecret(table, changeAt(), secretId, { value: 'v3' });
  expect((await rollbackSecret(table, changeAt(), secretId, 1)).number).toBe(1);
  expect(await readAll(table, kms)).toEqual({ TOKEN: 'v1' });
  expect((await findSecret(table, secretId)).values.map(({ number }) => number).sort()).toEqual([2, 3]);
  expect((await updateSecret(table, changeAt(), secretId, { value: 'v4' })).number).toBe(4);
  await rollbackSecret(table, changeAt(), secretId, 3);
  expect(await readAll(table, kms)).toEqual({ TOKEN: 'v3' });
});

test('a value that was rolled back to and replaced counts as an earlier value', async () => {
  const { table } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(day(0)), secret);
  for (let n = 2; n <= 11; n++) await updateSecret(table, changeAt(day(n)), secretId, { value: `v${n}` });
  await rollbackSecret(table, changeAt(day(12)), secretId, 1);
  await updateSecret(table, changeAt(day(13)), secretId, { value: 'v12' });
  const numbers = (await findSecret(table, secretId)).values.map(({ number }) => number);
  expect(numbers).toEqual([1, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
});

test('a new value or an import makes a sample a secret like any other', async () => {
  const { table } = await vaults.open();
  const sample = { value: 'v1', tags: ['sample', 'llm'] };
  const { secretId } = await createSecret(table, changeAt(), { ...sample, key: 'SET' });
  await createSecret(table, changeAt(), { ...sample, key: 'IMPORTED' });
  await updateSecret(table, changeAt(), secretId, { note: 'Only noted' });
  expect((await listSecrets(table)).map(({ tags }) => tags)).toEqual([sample.tags, sample.tags]);
  await updateSecret(table, changeAt(), secretId, { value: 'v2' });
  await importSecrets(table, changeAt(), [{ key: 'IMPORTED', value: 'v2' }], ['prod']);
  expect((await listSecrets(table)).map(({ key, tags }) => [key, tags])).toEqual([
    ['IMPORTED', ['llm', 'prod']],
    ['SET', ['llm']],
  ]);
});
