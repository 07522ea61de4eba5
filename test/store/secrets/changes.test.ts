import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import {
  RESTRICTIONS,
  RESTRICTIONS_KEY,
  readRestrictions,
} from '../../../lambdas/store/api-keys/restrictions.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { findSecret, listSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { listPendingWrites } from '../../../lambdas/store/vault/pending-writes.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { type KeyInput, newApiKey } from '../../support/rows/api-keys.ts';
import { actorNamed, changeAt, expectRefused, rowsIn } from '../../support/rows/table.ts';
import { resignRow } from '../../support/rows/tampering.ts';
import {
  asking,
  day,
  headOf,
  kms,
  onDay,
  readAll,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const many = (count: number, bytes: number, mark = 'v') =>
  Array.from({ length: count }, (_, n) => ({ key: `KEY_${n}`, value: mark.padEnd(bytes, '.') }));

/** Ids of the pages that a table holds, of those that were ever written through `seen`. */
const remaining = async (seen: readonly string[]): Promise<string[]> => {
  const held: string[] = [];
  for (const pk of seen)
    if ((await rowsIn(table, pk)).length > 0) held.push(pk.slice('VAULTPAGE#default#'.length));
  return held;
};

/** A table that fails every call from the page write after `writes` on, as for a writer that is killed there. */
const killedAfter = (writes: number, pages: string[]) => {
  let dead = false;
  return beforeEachCall(table, (operation, input) => {
    const { Item } = input as { readonly Item?: { readonly pk: string } };
    const isPage = operation === 'PutCommand' && Item?.pk.startsWith('VAULTPAGE#');
    if (isPage && pages.length === writes) dead = true;
    if (dead || (operation === 'TransactWriteCommand' && pages.length === writes)) {
      dead = true;
      throw new Error('killed');
    }
    if (isPage) pages.push(Item?.pk ?? '');
  });
};

test('an import of several pages is visible completely or not at all', async () => {
  let done = false;
  const seen = new Set<string>();
  const see = async (reader = createVaultReader(table, kms)) => {
    const values = Object.values(await reader.read(await reader.head(), asking()));
    seen.add(`${values.length}${[...new Set(values.map((value) => value[0]))]}`);
  };
  const watch = async () => {
    const reader = createVaultReader(table, kms);
    while (!done) await see(reader);
  };
  await see();
  const watching = [watch(), watch()];
  for (const mark of 'abc') {
    await importSecrets(table, onDay(0), many(150, 5_120, mark));
    await see();
  }
  done = true;
  await Promise.all(watching);
  expect([...seen].sort()).toEqual(['0', '150a', '150b', '150c']);
  expect(await headOf(table)).toMatchObject({ revision: 4, count: 150 });
});

test('a writer that crashes after any page write changes nothing, and its pages are purged a day later', async () => {
  await secretsOn(0).create('BEFORE', 'b');
  const before = await headOf(table);
  const orphans: string[] = [];
  for (const writes of [0, 3, 8]) {
    const pages: string[] = [];
    const dying = killedAfter(writes, pages);
    await expect(importSecrets(dying, onDay(0), many(150, 5_120))).rejects.toThrow('killed');
    expect(pages).toHaveLength(writes);
    orphans.push(...pages);
  }
  expect(await headOf(table)).toEqual(before);
  expect(await readAll()).toEqual({ BEFORE: 'b' });
  expect(await remaining(orphans)).toHaveLength(orphans.length);

  await purgeVault(table, day(0.9));
  expect(await remaining(orphans)).toHaveLength(orphans.length);
  await purgeVault(table, day(1.1));
  expect(await remaining(orphans)).toEqual([]);
  expect(await Array.fromAsync(listPendingWrites(table))).toEqual([]);
  expect(await readAll()).toEqual({ BEFORE: 'b' });
});

test('the audit entries of a large import name all secrets, and each is small enough for a page', async () => {
  const secrets = Array.from({ length: 1_500 }, (_, n) => ({ key: `"KEY"${n}`, value: 'v' }));
  await importSecrets(table, onDay(1), secrets);
  const range = { from: '2026-03-01', to: '2026-03-31' };
  const { entries } = await listAudit(table, {
    ...range,
    subject: 'vault',
    action: 'secret.import',
    limit: 50,
  });
  const named = entries.flatMap(({ details }) => details.secrets as { key: string }[]);
  expect(new Set(named.map(({ key }) => key))).toEqual(new Set(secrets.map(({ key }) => key)));
  expect(named).toHaveLength(1_500);
  expect(
    entries.filter(({ details }) => details.created === 1_500 && details.part === undefined),
  ).toHaveLength(1);
  for (const entry of entries)
    expect(JSON.stringify(JSON.stringify(entry)).length).toBeLessThan(LIMITS.pageBytes / 10);
});

test('changing only tags keeps the value, its time and author, needs no key pair, and compares tags in any order', async () => {
  const created = await secretsOn(0).create('TOKEN', 'v1', ['a', 'b', 'a']);
  const watched = beforeEachCall(table, (_, input) => {
    if (JSON.stringify(input).includes(PARTITIONS.vaultKey)) throw new Error('reads the key pair');
  });
  const another = { ...onDay(1), actor: actorNamed('another@example.com') };
  const tags = { tags: ['c'], expectedTags: ['b', 'a'] };
  expect(await updateSecret(watched, another, created.secretId, tags)).toEqual({ ...created, tags: ['c'] });
  expect(await readAll()).toEqual({ TOKEN: 'v1' });
});

test('a value that was rolled back to and replaced counts as an earlier value, and no number is used twice', async () => {
  const { secretId } = await secretsOn(0).create('TOKEN', 'v1');
  const update = (n: number) => secretsOn(n).update(secretId, `v${n}`);
  for (let n = 2; n <= 11; n++) await update(n);
  expect((await secretsOn(11).rollBack(secretId, 1)).number).toBe(1);
  expect(await readAll()).toEqual({ TOKEN: 'v1' });
  expect((await update(12)).number).toBe(12);
  const numbers = (await findSecret(table, secretId)).values.map(({ number }) => number);
  expect(numbers).toEqual([1, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
});

test('a new value or an import makes a sample a secret like any other', async () => {
  const tags = ['sample', 'llm'];
  const { secretId } = await secretsOn().create('SET', 'v1', tags);
  await secretsOn().create('IMPORTED', 'v1', tags);
  await secretsOn().update(secretId, { note: 'Only noted' });
  expect((await listSecrets(table)).map((secret) => secret.tags)).toEqual([tags, tags]);
  await secretsOn().update(secretId, 'v2');
  await importSecrets(table, changeAt(), [{ key: 'IMPORTED', value: 'v2' }], ['prod']);
  expect((await listSecrets(table)).map(({ key, tags }) => [key, tags])).toEqual([
    ['IMPORTED', ['llm', 'prod']],
    ['SET', ['llm']],
  ]);
});

const confirmed = (at: Date) => ({ ...changeAt(at), mayWidenAccess: true });

const newKey = async (input: KeyInput = {}) =>
  (await newApiKey(table, { name: 'bot', permissions: ['secrets'], tags: ['llm'], at: day(0), ...input }))
    .record;

const newSecret = (tags: readonly string[] = [], key = 'K') => secretsOn(0).create(key, 'v', tags);

const refusal = { code: 'would_widen_access', message: expect.stringContaining('"bot"') };

describe('an existing secret becomes readable for a restricted key only with an administrator', () => {
  test('by an import that adds tags', async () => {
    await newKey();
    await newSecret();
    const pairs = [
      { key: 'K', value: 'new' },
      { key: 'NEW', value: 'new' },
    ];
    await expect(importSecrets(table, onDay(1), pairs, ['llm'])).rejects.toMatchObject(refusal);
    await importSecrets(table, onDay(1), [{ key: 'NEW', value: 'new' }], ['llm']);
    expect((await importSecrets(table, confirmed(day(1)), pairs, ['llm'])).updated).toHaveLength(2);
  });

  test('by restoring a secret that was deleted before the key was created', async () => {
    const { secretId } = await newSecret(['llm']);
    await secretsOn(1).remove(secretId);
    await newKey({ at: day(2) });
    await expect(secretsOn(3).restore(secretId)).rejects.toMatchObject(refusal);
    expect((await restoreSecret(table, confirmed(day(3)), secretId)).tags).toEqual(['llm']);
  });
});

describe('what lets no key read more needs no administrator', () => {
  test('a new value, fewer tags, tags of no key, a rollback, a new secret', async () => {
    await newKey();
    await newKey({ tags: ['llm', 'eu'], name: 'both' });
    const { secretId } = await newSecret(['llm', 'us']);
    const update = (change: object) => secretsOn(1).update(secretId, change);
    await update({ value: 'w' });
    await update({ tags: ['llm', 'other'] });
    await update({ tags: [] });
    await secretsOn(1).rollBack(secretId, 1);
    await newSecret(['llm'], 'NEW');
  });

  test('keys that are expired, revoked, unrestricted or only for prompts do not count', async () => {
    await newKey({ expiresAt: day(1).toISOString() });
    await newKey({ tags: [] });
    await newKey({ permissions: ['prompts'] });
    const { keyId } = await newKey();
    await revokeApiKey(table, onDay(1), keyId);
    const { secretId } = await newSecret();
    await secretsOn(2).update(secretId, { tags: ['llm'] });
  });

  test('a secret that a key could read until its deletion is restored for it', async () => {
    const { secretId } = await newSecret(['llm']);
    await newKey();
    await secretsOn(1).remove(secretId);
    await secretsOn(2).restore(secretId);
  });
});

test('a key that is created while tags change is either counted, or created after the change', async () => {
  const { secretId } = await newSecret();
  let commits = 0;
  const racing = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand' && ++commits === 1) await newKey();
  });
  const late = secretsOn(1, racing).update(secretId, { tags: ['llm'] });
  await expect(late).rejects.toMatchObject(refusal);
});

test('a planted or missing row of restrictions stops changes of tags', async () => {
  await newKey();
  const { secretId } = await newSecret();
  const row = { pk: PARTITIONS.restrictions, sk: 'KEYS' };
  await putItem(table, { ...row, revision: 2, keys: '[]' });
  const change = () => secretsOn(1).update(secretId, { tags: ['llm'] });
  await expectRefused(change(), 'integrity');
  await deleteItem(table, row);
  await expectRefused(change(), 'integrity');
});

test('restricted keys are limited in number; expired and revoked ones make room', async () => {
  const tags = Array.from({ length: LIMITS.tags }, (_, n) => `${n}`.padStart(LIMITS.tagBytes, 't'));
  const first = await newKey({ tags });
  await newKey({ tags, expiresAt: day(1).toISOString() });
  await newKey({ tags });
  const { keys } = await readRestrictions(table);
  const [filler] = keys.slice(-1);
  const room = LIMITS.restrictionBytes - JSON.stringify(keys).length;
  const copies = Array(Math.floor(room / (JSON.stringify(filler).length + 1))).fill(filler);
  await resignRow(table, RESTRICTIONS, RESTRICTIONS_KEY, { keys: [...keys, ...copies] });
  const full = { code: 'too_many_restricted_keys', message: expect.stringContaining('Revoke') };
  await expect(newKey({ tags })).rejects.toMatchObject(full);
  expect((await newKey({ tags, at: day(2) })).tags).toHaveLength(LIMITS.tags);
  await expect(newKey({ tags, at: day(2) })).rejects.toMatchObject(full);
  await revokeApiKey(table, onDay(2), first.keyId);
  expect((await newKey({ tags, at: day(2) })).tags).toHaveLength(LIMITS.tags);
});
