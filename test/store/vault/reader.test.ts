import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createDecryptor } from '../../../lambdas/store/secrets/opened.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { allEntries } from '../../../lambdas/store/vault/locations.ts';
import { beforeEachCall, countingCalls } from '../../support/aws/intercept.ts';
import { createTestKms } from '../../support/rows/kms.ts';
import { changeAt } from '../../support/rows/table.ts';
import {
  asking,
  headOf,
  kms,
  readAll,
  rotate,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();
beforeEach(async () => {
  await secretsOn().create('A', 'one', ['x']);
  await secretsOn().create('B', 'two', ['x', 'y']);
  await secretsOn().create('C', 'three');
});

test('a change is seen by the next read of a warm reader, which reads only the head and what changed', async () => {
  const { counted, calls } = countingCalls(table, (operation) => operation === 'GetCommand');
  const reader = createVaultReader(counted, kms);
  const { secretId } = await secretsOn().create('D', 'old');
  expect(await reader.read(await reader.head(), asking())).toMatchObject({ D: 'old' });
  calls.length = 0;
  expect(await reader.read(await reader.head(), asking())).toMatchObject({ D: 'old' });
  expect(calls).toHaveLength(1);
  await secretsOn().update(secretId, 'new');
  calls.length = 0;
  expect(await reader.read(await reader.head(), asking())).toMatchObject({ D: 'new' });
  expect(calls).toHaveLength(2);
  expect(kms.unwrapped).toBe(1);
});

test('each of two concurrent requests is served from the revision that it started with', async () => {
  const reader = createVaultReader(table, kms);
  const before = await reader.head();
  await secretsOn().create('D', 'four');
  const after = await reader.head();
  for (const [head, keys] of [
    [after, 4],
    [before, 3],
    [after, 4],
  ] as const) {
    expect(Object.keys(await reader.read(head, asking()))).toHaveLength(keys);
  }
});

test('the private key is used for five minutes and then fetched from KMS again', async () => {
  let now = 0;
  const reader = createVaultReader(table, kms, { now: () => now, random: () => 1 });
  const read = async () => reader.read(await reader.head(), asking());
  await read();
  now = 299_999;
  await read();
  expect(kms.unwrapped).toBe(1);
  now = 300_000;
  await read();
  expect(kms.unwrapped).toBe(2);
});

test('no call after the first opens many boxes, and no value stays in memory for more than five minutes', async () => {
  const secrets = Array.from({ length: 200 }, (_, n) => ({ key: `SPREAD${n}`, value: 'v' }));
  await importSecrets(table, changeAt(), secrets);
  const entries = await allEntries(table, await headOf(table));
  let now = 0;
  let drawn = 0;
  // Evenly spread, in no particular order.
  const random = () => (drawn++ * 0.618) % 1;
  const { open } = createDecryptor(table, kms, { now: () => now, random });
  const since = new Map<object, number>();
  const most: number[] = [];
  for (; now <= 1_200_000; now += 10_000) {
    const opened = await open(entries);
    most.push(opened.filter((each) => !since.has(each)).length);
    for (const each of opened) since.set(each, since.get(each) ?? now);
    expect(opened.every((each) => now - (since.get(each) ?? 0) < 300_000)).toBe(true);
  }
  expect(most[0]).toBe(entries.length);
  expect(Math.max(...most.slice(1))).toBeLessThan(entries.length / 4);
});

test('a call that waits for a private key returns the values that it found, even if another call drops them', async () => {
  const old = await allEntries(table, await headOf(table));
  await rotate(1, 1);
  const renewed = await allEntries(table, await headOf(table));
  let now = 0;
  const { open } = createDecryptor(table, kms, { now: () => now, random: () => 0 });
  await open(old.slice(0, 1));
  now = 149_999;
  const waiting = open([...old.slice(0, 1), ...renewed.slice(1)]);
  now = 150_000;
  await open([]);
  expect((await waiting).map(({ value }) => value)).toEqual(['one', 'two', 'three']);
});

test('a cold reader fetches the private key while it reads the pages', async () => {
  const calls: string[] = [];
  const watched = beforeEachCall(table, (operation, input) => {
    calls.push(JSON.stringify(input).includes('VAULTKEY') ? 'key pair' : operation);
  });
  const reader = createVaultReader(watched, kms);
  const head = await reader.head();
  calls.length = 0;
  await reader.read(head, asking());
  expect(calls[0]).toBe('key pair');
  await reader.read(head, asking());
  expect(calls.filter((call) => call === 'key pair')).toHaveLength(1);
});

test('a key pair wrapped by another KMS or for another stage decrypts nothing', async () => {
  await expect(readAll(asking(), table, createTestKms())).rejects.toThrow();
  const staged = { ...table, settings: { ...table.settings, stage: 'other' } };
  await expect(readAll(asking(), staged)).rejects.toThrow();
});
