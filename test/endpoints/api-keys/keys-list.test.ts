import type { ApiKeyInput } from '../../../lambdas/core/api-keys/limits.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { ask, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, aSecret } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

type Query = Record<string, string | number>;

const made = new Map<string, { readonly apiKey: string; readonly keyId: string }>();
const keyOf = (name: string) => made.get(name) ?? { apiKey: '', keyId: '' };

const make = async (name: string, days: number, input: Partial<ApiKeyInput> = {}) => {
  const { apiKey, record } = await createApiKey(instance.table, changeAt(daysAgo(days)), {
    name,
    permissions: ['prompts', 'secrets'],
    ...input,
  });
  made.set(name, { apiKey, keyId: record.keyId });
};

withOwnInstance();
beforeAll(async () => {
  await make('Web', 30, { tags: ['shop'], cidrs: ['127.0.0.0/8'] });
  await make('job', 40, { expiresAt: daysAgo(1).toISOString() });
  await make('lost', 20);
  await make('idle', 50, { permissions: ['prompts'] });
  await revokeApiKey(instance.table, changeAt(), keyOf('lost').keyId);
  await keepLastUse(instance.table, keyOf('idle').keyId, daysAgo(35).toISOString());
});

const namesOf = ({ keys }: { keys: { name: string }[] }): string[] => keys.map(({ name }) => name);
const names = async (query: Query) => namesOf(await ask(instance, 'keys-list', { query }));

test.each<[Query, string[]]>([
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
  [{ sort: 'used', q: 'e', limit: 1 }, ['idle']],
  [{ sort: 'expires', order: 'asc', q: 'o' }, ['job', 'lost', 'Web']],
])('%j returns the matching keys in this order, by default newest first', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

test('a key is found by its id, not by characters that occur in it', async () => {
  const { keyId } = keyOf('idle');
  expect(await names({ q: keyId })).toEqual(['idle']);
  expect(await names({ q: keyId.slice(1) })).toEqual([]);
});

test('each entry has the settings, last use and calls of the last seven days, never the key', async () => {
  const { apiKey, keyId } = keyOf('Web');
  const { promptId } = await aPrompt(instance);
  for (let i = 0; i < 3; i++) await instance.post('/api/prompt/get-compiled', { promptId }, apiKey);
  await aSecret(instance, ['shop']);
  for (const body of [{}, { tags: ['shop'] }]) await instance.post('/api/vault/get-secrets', body, apiKey);
  await instance.settled();
  const { keys } = await ask(instance, 'keys-list');
  expect(keys[2]).toEqual({
    keyId,
    name: 'Web',
    kind: 'key',
    permissions: ['prompts', 'secrets'],
    tags: ['shop'],
    prompts: [],
    cidrs: ['127.0.0.0/8'],
    status: 'active',
    createdAt: expect.any(String),
    createdBy: 'operator@example.com',
    lastUsedAt: expect.any(String),
    calls: { prompts: 3, secrets: 2 },
  });
  expect(Date.now() - Date.parse(keys[2].lastUsedAt)).toBeLessThan(3_600_000);
  expect(keys[1]).toMatchObject({ status: 'revoked', revokedBy: 'operator@example.com', lastUsedAt: null });
  expect(Math.round((Date.now() - Date.parse(keys[4].lastUsedAt)) / 86_400_000)).toBe(35);
  expect(keys[4].calls).toEqual({ prompts: 0, secrets: 0 });
});

test('the list contains neither keys nor hashes', async () => {
  const { text } = await send(instance, 'keys-list', { groups: ['viewer'] });
  for (const { apiKey } of made.values()) expect(text).not.toContain(apiKey.slice(-32));
  expect(text).not.toMatch(/hash|[0-9a-f]{64}/);
});

test('the pages together are the whole list', async () => {
  const found = await allPages(
    (continued) => ask(instance, 'keys-list', { query: { limit: 2, ...continued } }),
    (page) => {
      expect(page.total).toBe(5);
      return namesOf(page);
    },
  );
  expect(found).toEqual(['first run', 'lost', 'Web', 'job', 'idle']);
});
