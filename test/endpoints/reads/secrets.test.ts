import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

const ROUTE = '/api/vault/get-secrets';
withOwnInstance();

const create = (key: string, value: string, tags: string[] = []) =>
  createSecret(instance.table, changeAt(), { key, value, tags });
const get = async (body: unknown, apiKey?: string) => {
  const reply = await instance.post(ROUTE, body, apiKey);
  expect([reply.status, reply.json.err]).toEqual([200, null]);
  return reply.json.res;
};

test('secrets are returned all, none yet, by key, by tags that must all match, or by both', async () => {
  expect(await get({})).toEqual({});
  await create('A', 'value a', ['one', 'two']);
  await create('B', 'value b', ['one']);
  await create('C', 'value c');
  const all = { A: 'value a', B: 'value b', C: 'value c' };
  expect(await get({})).toEqual(all);
  expect(await get({ source: { sdk: 'x' }, metaProperties: null })).toEqual(all);
  expect(await get({ key: 'B' })).toEqual({ B: 'value b' });
  expect(await get({ tags: ['one'] })).toEqual({ A: 'value a', B: 'value b' });
  for (const tags of ['one two', 'two one'])
    expect(await get({ tags: tags.split(' ') })).toEqual({ A: 'value a' });
  expect(await get({ tags: [] })).toEqual(all);
  expect(await get({ key: 'A', tags: ['two'] })).toEqual({ A: 'value a' });
});

test('an unknown key, a key without the tags and, with nonEmpty, no match at all are not found', async () => {
  const { apiKey } = await instance.newKey({ tags: ['nobody'] });
  for (const [body, key] of [
    [{ key: 'UNKNOWN' }],
    [{ key: 'B', tags: ['two'] }],
    [{ tags: ['nobody'], nonEmpty: true }],
    [{ nonEmpty: true }, apiKey],
  ] as const) {
    const reply = await instance.post(ROUTE, body, key);
    expect([reply.status, reply.code, reply.json.res]).toEqual([404, 'secret_not_found', null]);
  }
  expect(await get({ tags: ['one'], nonEmpty: true })).toEqual({ A: 'value a', B: 'value b' });
  expect(await get({ tags: ['nobody'], nonEmpty: false })).toEqual({});
});

test('keys such as __proto__ and constructor, and any values, are stored and returned unchanged', async () => {
  const odd = {
    ['__proto__']: '',
    constructor: 'é'.repeat(32_768),
    'with space, Ümläut, ../x?y#z': '{"json": "\\n"}',
    [`k${'k'.repeat(511)}`]: '\ufeff😀\r\n\t"\\$&{{x}}\u0000',
  };
  for (const [key, value] of Object.entries(odd)) await ask('secrets-create', { key, value, tags: ['odd'] });
  expect(Object.entries(await get({ tags: ['odd'] })).sort()).toEqual(Object.entries(odd).sort());
  expect(await get({ key: '__proto__' })).toEqual(JSON.parse('{"__proto__": ""}'));
});

test('a reply that would be too large returns 413 and says how to narrow it; it is never truncated', async () => {
  const large = Array.from({ length: 48 }, (_, i) => ({ key: `LARGE_${i}`, value: '\n'.repeat(64_000) }));
  await importSecrets(instance.table, changeAt(), large, ['large']);
  const refused = await instance.post(ROUTE, { tags: ['large'] });
  expect([refused.status, refused.code]).toEqual([413, 'reply_too_large']);
  expect(refused.json.err).toMatch(/"key" or "tags"/);
  expect((await get({ key: 'LARGE_7' })).LARGE_7).toHaveLength(64_000);
});
