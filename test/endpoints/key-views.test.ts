import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse } from '../../lambdas/store/api-keys/uses.ts';
import { rollbackSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { ask, column, send } from '../support/admin.ts';
import { daysAgo } from '../support/days.ts';
import { allPages } from '../support/pages.ts';
import type { KeyInput } from '../support/rows/api-keys.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { SECRET_MARKER, secretValue, storeSecret } from '../support/rows/secrets.ts';
import { changeAt } from '../support/rows/table.ts';
import { countRead, countUses } from '../support/rows/usage.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

// What operators see of API keys: the list of all, of which the first tests know every one, then the page of each.

const keyMade = (name: string, days: number, input: KeyInput = {}) =>
  instance.newKey({ name, at: daysAgo(days), ...input });

let web: { readonly apiKey: string; readonly keyId: string };
let idle: typeof web;
withOwnInstance();
beforeAll(async () => {
  web = await keyMade('Web', 30, { tags: ['shop'], cidrs: ['127.0.0.0/8'] });
  await keyMade('job', 40, { expiresAt: daysAgo(1).toISOString() });
  const lost = await keyMade('lost', 20);
  idle = await keyMade('idle', 50, { permissions: ['prompts'] });
  await revokeApiKey(instance.table, changeAt(), lost.keyId);
  await keepLastUse(instance.table, idle.keyId, daysAgo(35).toISOString());
});

const names = async (query: object) => column((await ask('keys-list', query)).keys, 'name');

test.each<[object, string[]]>([
  [{}, ['first run', 'lost', 'Web', 'job', 'idle']],
  [{ status: 'active' }, ['first run', 'Web', 'idle']],
  [{ status: 'expired' }, ['job']],
  [{ status: 'revoked' }, ['lost']],
  [{ q: 'WEB' }, ['Web']],
  [{ q: 'sho' }, ['Web']],
  [{ q: 'nothing' }, []],
  [{ q: 'o', status: 'expired' }, ['job']],
  [{ sort: 'created', order: 'asc' }, ['idle', 'job', 'Web', 'lost', 'first run']],
  [{ sort: 'name', order: 'asc' }, ['first run', 'idle', 'job', 'lost', 'Web']],
  [{ sort: 'used', q: 'idle' }, ['idle']],
  [{ sort: 'expires', order: 'asc', q: 'o' }, ['job', 'lost', 'Web']],
])(
  '%j returns the matching keys in this order, by default newest first, also page by page',
  async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    const found = await allPages(
      (continued) => ask('keys-list', { ...query, limit: 2, ...continued }),
      ({ total, keys }) => {
        expect(total).toBe(expected.length);
        return column(keys, 'name');
      },
    );
    expect(found).toEqual(expected);
  },
);

test('a key is found by its id, not by characters that occur in it', async () => {
  expect(await names({ q: idle.keyId })).toEqual(['idle']);
  expect(await names({ q: idle.keyId.slice(1) })).toEqual([]);
});

test('each entry has the settings, last use and calls of the last seven days, never the key or its hash', async () => {
  const { apiKey, keyId } = web;
  const { promptId } = await aPrompt();
  for (let i = 0; i < 3; i++) await instance.post('/api/prompt/get-compiled', { promptId }, apiKey);
  await storeSecret({ tags: ['shop'] });
  for (const body of [{}, { tags: ['shop'] }]) await instance.post('/api/vault/get-secrets', body, apiKey);
  await instance.settled();
  const { text, json } = await send('keys-list', {}, 'viewer');
  const [, lost, listed, , unused] = json.res.keys;
  const createdBy = 'operator@example.com';
  expect(listed).toEqual({
    keyId,
    name: 'Web',
    kind: 'key',
    permissions: ['prompts', 'secrets'],
    tags: ['shop'],
    prompts: [],
    cidrs: ['127.0.0.0/8'],
    status: 'active',
    createdBy,
    createdAt: expect.any(String),
    lastUsedAt: expect.any(String),
    calls: { prompts: 3, secrets: 2 },
  });
  expect(Date.now() - Date.parse(listed.lastUsedAt)).toBeLessThan(3_600_000);
  expect(lost).toMatchObject({ status: 'revoked', revokedBy: createdBy, lastUsedAt: null });
  expect(Math.round((Date.now() - Date.parse(unused.lastUsedAt)) / 86_400_000)).toBe(35);
  expect(unused.calls).toEqual({ prompts: 0, secrets: 0 });
  for (const made of [web, idle]) expect(text).not.toContain(made.apiKey.slice(-32));
  expect(text).not.toMatch(/hash|[0-9a-f]{64}/);
});

test('a revoked key still says what it could read, what it read and why it was refused', async () => {
  const { table } = instance;
  const { prompts, secrets } = await ask('keys-get', { keyId: web.keyId });
  const fetched = await newPrompt(table);
  const other = await newPrompt(table);
  const read = await storeSecret({ key: 'READ', tags: ['one'] });
  await storeSecret({ key: 'ALLOWED', tags: ['one', 'two'] });
  await storeSecret({ key: 'HIDDEN' });
  const { keyId, apiKey } = await instance.newKey({ tags: ['one'], prompts: [fetched.name] });
  const use = { promptId: fetched.promptId, version: '1.0.0', apiKeyId: keyId };
  await countUses(table, use, new Date(), 3);
  await countUses(table, { ...use, promptId: other.promptId, apiKeyId: 'another' }, new Date());
  await countRead(table, keyId, [read.secretId], new Date());
  await countRead(table, 'another', [read.secretId], daysAgo(1));
  await instance.post('/api/vault/get-secrets', { key: 'HIDDEN' }, apiKey);
  await revokeApiKey(table, changeAt(), keyId);
  const { text, json } = await send('keys-get', { keyId }, 'viewer');
  expect(json.res).toMatchObject({
    key: { keyId, status: 'revoked' },
    prompts: { allowed: 1, total: prompts.total + 2, unread: { total: 0, first: [] } },
    secrets: { allowed: 2, total: secrets.total + 3, unread: { total: 1, first: ['ALLOWED'] } },
    fetched: [{ promptId: fetched.promptId, name: fetched.name, fetches: 3 }],
    read: [{ secretId: read.secretId, key: 'READ', reads: 1 }],
    refused: [{ reason: 'tags', asked: 'HIDDEN' }],
  });
  expect(text).not.toContain(SECRET_MARKER);
});

test('what a revoked key read is listed weeks after the revocation', async () => {
  const { secretId } = await storeSecret({ key: 'KNOWN' });
  const { keyId } = await keyMade('long gone', 60);
  await countRead(instance.table, keyId, [secretId], daysAgo(50));
  await revokeApiKey(instance.table, changeAt(daysAgo(45)), keyId);
  expect((await ask('keys-get', { keyId })).read).toMatchObject([{ secretId, reads: 1 }]);
});

test('a value counts as known until a new one is saved after the last read and the revocation', async () => {
  const { table } = instance;
  const at = daysAgo(9);
  const { secretId } = await storeSecret({ key: 'ROTATED', at });
  const rolledBack = await storeSecret({ key: 'ROLLED_BACK', at });
  const { keyId } = await keyMade('found', 9);
  const known = async () => column((await ask('keys-get', { keyId })).read, 'known');
  const rotate = (id: string, days: number) =>
    updateSecret(table, changeAt(daysAgo(days)), id, { value: secretValue(days) });
  await countRead(table, keyId, [secretId, rolledBack.secretId], daysAgo(7));
  await rotate(secretId, 6);
  expect(await known()).toEqual([true, false]);
  await revokeApiKey(table, changeAt(daysAgo(5)), keyId);
  expect(await known()).toEqual([true, true]);
  await rotate(secretId, 4);
  await rotate(rolledBack.secretId, 4);
  expect(await known()).toEqual([false, false]);
  await rollbackSecret(table, changeAt(daysAgo(3)), rolledBack.secretId, 1);
  expect(await known()).toEqual([true, false]);
});

test('what a key with some limits would reach is computed as for a key that has them: nothing without the permission', async () => {
  const { name } = await newPrompt(instance.table);
  await storeSecret({ key: 'REACHED', tags: ['reached', 'llm'] });
  await storeSecret({ key: 'OTHER', tags: ['llm'] });
  const limits = { permissions: ['prompts', 'secrets'], prompts: [name], tags: ['reached'] } as const;
  const { keyId } = await instance.newKey(limits);
  const { prompts, secrets } = await ask('keys-get', { keyId });
  const reach = (more: object) => ask('keys-reach', { ...limits, ...more }, 'viewer');
  expect(await reach({})).toEqual({
    prompts: { allowed: 1, total: prompts.total, first: [name] },
    secrets: { allowed: 1, total: secrets.total, first: ['REACHED'] },
  });
  expect([prompts.allowed, secrets.allowed]).toEqual([1, 1]);
  const publishing = await reach({ permissions: ['publish'] });
  expect([publishing.prompts.allowed, publishing.secrets.allowed]).toEqual([1, 0]);
  expect((await reach({ environments: ['nowhere'] })).secrets).toMatchObject({ allowed: 0, first: [] });
  const reader = await instance.newKey({ permissions: ['prompts'] });
  expect(await ask('keys-get', { keyId: reader.keyId })).toMatchObject({ secrets: { allowed: 0 } });
});
