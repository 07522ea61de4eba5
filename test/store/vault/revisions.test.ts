import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createDecryptor } from '../../../lambdas/store/secrets/opened.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { listDeletedSecrets, listSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { listRevisions } from '../../../lambdas/store/vault/history.ts';
import { allEntries } from '../../../lambdas/store/vault/locations.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { beforeEachCall, countingCalls } from '../../support/aws/intercept.ts';
import { createTestKms } from '../../support/rows/kms.ts';
import { changeAt, expectRefused, rowsIn } from '../../support/rows/table.ts';
import {
  asking,
  day,
  headOf,
  keptValues,
  kms,
  onDay,
  readAll,
  rotate,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const revisionsOf = async () => (await Array.fromAsync(listRevisions(table))).map(({ revision }) => revision);

const pageRows = (id: string) => rowsIn(table, `VAULTPAGE#default#${id}`);

test('a replaced revision is purged on the eighth day after it was replaced, with the pages that only it references, of which a slow reader reads the current ones', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const reader = createVaultReader(table, kms);
  const before = await headOf(table);
  const [old] = before.pages;
  await secretsOn(2).update(secretId, 'v2');
  expect(await purgeVault(table, day(7.9))).toEqual({ revisions: 0, writings: 0, deleted: 0 });
  expect(await purgeVault(table, day(8.1))).toMatchObject({ revisions: 1 });
  expect(await pageRows(old?.id ?? '')).toHaveLength(1);
  expect(await purgeVault(table, day(10.1))).toMatchObject({ revisions: 1 });
  expect(await pageRows(old?.id ?? '')).toEqual([]);
  expect(await revisionsOf()).toEqual([]);
  expect(await readAll()).toEqual({ K: 'v2' });
  expect(await reader.read(before, asking())).toMatchObject({ K: 'v2' });
});

test('every revision that is kept can still be read in full, however often a purge was cut short', async () => {
  await importSecrets(
    table,
    onDay(0),
    Array.from({ length: 20 }, (_, n) => ({ key: `K${n}`, value: 'x'.repeat(8_000) })),
  );
  const [first] = await listSecrets(table);
  for (let n = 1; n <= 10; n++) await secretsOn(n).update(first?.secretId ?? '', `v${n}`);
  let calls = 0;
  for (let stop = 1, died = true; died; stop++) {
    calls = 0;
    const dying = beforeEachCall(table, () => {
      if (++calls >= stop) throw new Error('killed');
    });
    died = await purgeVault(dying, day(15)).then(
      () => false,
      () => true,
    );
    for (const kept of [await headOf(table), ...(await revisionsOf()).slice(-4)])
      expect(await allEntries(table, kept)).toHaveLength(20);
  }
  expect(await revisionsOf()).toHaveLength(4);
});

test('a deleted secret and its earlier values are purged on the eighth day', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  await secretsOn(0).update(secretId, 'v2');
  await secretsOn(1).remove(secretId);
  expect(await purgeVault(table, day(8.9))).toMatchObject({ deleted: 0 });
  expect(await purgeVault(table, day(9.1))).toMatchObject({ deleted: 1 });
  expect(await keptValues(table, secretId)).toEqual([]);
  await expectRefused(secretsOn(1).restore(secretId), 'secret_not_found');
});

test('an earlier revision is restored completely; secrets created since count as deleted', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const { revision } = await headOf(table);
  await secretsOn(1).update(secretId, 'v2');
  const { secretId: later } = await secretsOn(1).create('LATER', 'l');
  await secretsOn(2).remove(secretId);
  expect(await secretsOn(3).restoreRevision(revision)).toBe((await headOf(table)).revision);
  expect(await readAll()).toEqual({ K: 'v1' });
  expect(await headOf(table)).toMatchObject({ count: 1, bytes: 2 });
  expect(await listDeletedSecrets(table, day(3))).toMatchObject([{ secretId: later }]);

  expect((await secretsOn(4).update(secretId, 'v3')).number).toBe(3);
  await purgeVault(table, day(9.5));
  expect(await keptValues(table, secretId)).not.toEqual([]);
  await secretsOn(9.9).restore(later);
  expect(await readAll()).toEqual({ K: 'v3', LATER: 'l' });
});

test('a revision can be restored for seven days and not longer', async () => {
  await secretsOn(0).create('K', 'v');
  await expectRefused(secretsOn(7.1).restoreRevision(1), 'value_not_found');
  await expectRefused(secretsOn(7).restoreRevision(99), 'value_not_found');
  await secretsOn(6.9).restoreRevision(1);
  expect(await headOf(table)).toMatchObject({ count: 0, revision: 3 });
});

test('what is restored at the last moment survives the purge of the next day', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const { revision } = await headOf(table);
  await secretsOn(1).remove(secretId);
  await secretsOn(7.9).restoreRevision(revision);
  const old = await headOf(table);
  await secretsOn(8).restoreRevision(revision + 1);
  // The record of the first deletion was replaced: the second one can be undone until day 15.
  await purgeVault(table, day(9.1));
  await secretsOn(14.9).restoreRevision(old.revision);
  expect(await readAll()).toEqual({ K: 'v1' });
});

test('changes, a rotation and a restored revision keep the vault stopped, and stopping it again changes nothing', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v');
  const { revision } = await headOf(table);
  await setServing(table, onDay(1), false, 'a key leaked');
  await secretsOn(1).update(secretId, 'w');
  await rotate(1, 1);
  await secretsOn(2).restoreRevision(revision);
  await expect(readAll()).rejects.toMatchObject({ code: 'vault_stopped', status: 403 });
  const stopped = await headOf(table);
  expect(stopped).toMatchObject({
    stoppedAt: day(1).toISOString(),
    stoppedBy: 'operator@example.com',
    stoppedReason: 'a key leaked',
  });
  expect(await setServing(table, onDay(3), false, 'another reason')).toEqual(stopped);
  expect(await headOf(table)).toEqual(stopped);
  await setServing(table, onDay(3), true);
  expect(await readAll()).toEqual({ K: 'v' });
});

describe('a reader', () => {
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
});
