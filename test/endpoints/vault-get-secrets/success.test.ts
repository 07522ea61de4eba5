import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { createLastReads } from '../../../lambdas/store/views/secret-rows.ts';
import { LOOPBACK } from '../../support/calls.ts';
import { auditOf } from '../../support/rows/audit.ts';
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

test('an empty vault returns an empty object', async () => {
  expect(await get({})).toEqual({});
});

test('secrets are returned all, by key, by tags that must all match, or by both', async () => {
  await create('A', 'value a', ['one', 'two']);
  await create('B', 'value b', ['one']);
  await create('C', 'value c');
  expect(await get({})).toEqual({ A: 'value a', B: 'value b', C: 'value c' });
  const ignored = { source: { sdk: 'x' }, metaProperties: null };
  expect(await get(ignored)).toEqual({ A: 'value a', B: 'value b', C: 'value c' });
  expect(await get({ key: 'B' })).toEqual({ B: 'value b' });
  expect(await get({ tags: ['one'] })).toEqual({ A: 'value a', B: 'value b' });
  for (const tags of [
    ['one', 'two'],
    ['two', 'one'],
  ])
    expect(await get({ tags })).toEqual({ A: 'value a' });
  expect(await get({ tags: [] })).toEqual({ A: 'value a', B: 'value b', C: 'value c' });
  expect(await get({ tags: ['nobody'] })).toEqual({});
  expect(await get({ key: 'A', tags: ['two'] })).toEqual({ A: 'value a' });
});

test('an unknown key, and a key without the tags, are not found', async () => {
  for (const body of [{ key: 'UNKNOWN' }, { key: 'B', tags: ['two'] }]) {
    const reply = await instance.post(ROUTE, body);
    expect([reply.status, reply.code, reply.json.res]).toEqual([404, 'secret_not_found', null]);
  }
});

test('with nonEmpty, finding nothing is an error instead of an empty object', async () => {
  expect(await get({ tags: ['one'], nonEmpty: true })).toEqual({ A: 'value a', B: 'value b' });
  expect(await get({ tags: ['nobody'], nonEmpty: false })).toEqual({});
  const { apiKey } = await instance.newKey({ tags: ['nobody'] });
  for (const reply of [
    await instance.post(ROUTE, { tags: ['nobody'], nonEmpty: true }),
    await instance.post(ROUTE, { nonEmpty: true }, apiKey),
  ])
    expect([reply.status, reply.code, reply.json.res]).toEqual([404, 'secret_not_found', null]);
});

test('keys such as __proto__ and constructor, and any values, are returned unchanged', async () => {
  const odd = {
    ['__proto__']: 'p',
    constructor: 'c',
    'with space': '{"json": "\\n"}',
    Ümläut: '😀\n\t"\\$&{{x}}',
  };
  await importSecrets(
    instance.table,
    changeAt(),
    Object.entries(odd).map(([key, value]) => ({ key, value })),
    ['odd'],
  );
  expect(Object.entries(await get({ tags: ['odd'] })).sort()).toEqual(Object.entries(odd).sort());
  expect(await get({ key: '__proto__' })).toEqual(JSON.parse('{"__proto__": "p"}'));
});

test('a change, a rollback and a deletion take effect on the next read', async () => {
  const { secretId } = await create('CHANGING', 'first');
  expect(await get({ key: 'CHANGING' })).toEqual({ CHANGING: 'first' });
  await updateSecret(instance.table, changeAt(), secretId, { value: 'second' });
  expect(await get({ key: 'CHANGING' })).toEqual({ CHANGING: 'second' });
  await rollbackSecret(instance.table, changeAt(), secretId, 1);
  expect(await get({ key: 'CHANGING' })).toEqual({ CHANGING: 'first' });
  await deleteSecret(instance.table, changeAt(), secretId);
  expect((await instance.post(ROUTE, { key: 'CHANGING' })).code).toBe('secret_not_found');
});

test('for a key with a tag restriction the other secrets do not exist', async () => {
  const { apiKey } = await instance.newKey({ tags: ['one'] });
  expect(await get({}, apiKey)).toEqual({ A: 'value a', B: 'value b' });
  expect(await get({ tags: ['two'] }, apiKey)).toEqual({ A: 'value a' });
  const hidden = await instance.post(ROUTE, { key: 'C' }, apiKey);
  const unknown = await instance.post(ROUTE, { key: 'UNKNOWN' }, apiKey);
  expect([hidden.status, hidden.text]).toEqual([404, unknown.text.replace('UNKNOWN', 'C')]);
});

test('each read writes an audit entry without values, and is counted', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'reader', tags: ['one'] });
  const { secretId } = await create('AUDITED', 'MARKED-VALUE', ['one', 'audited']);
  await get({ tags: ['audited'] }, apiKey);
  const entries = await auditOf(instance, 'read', keyId);
  expect(entries).toMatchObject([
    {
      actor: 'reader',
      details: {
        filter: { tags: ['audited'] },
        restriction: ['one'],
        count: 1,
        sourceIp: expect.stringMatching(LOOPBACK),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('MARKED-VALUE');
  await instance.settled();
  expect((await createLastReads(instance.table)(new Date())).get(secretId)?.lastRead).toMatchObject({
    apiKeyId: keyId,
  });
});

test('a reply that would be too large returns 413 and says how to narrow it; it is never truncated', async () => {
  const large = Array.from({ length: 48 }, (_, i) => ({ key: `LARGE_${i}`, value: '\n'.repeat(64_000) }));
  await importSecrets(instance.table, changeAt(), large, ['large']);
  const refused = await instance.post(ROUTE, { tags: ['large'] });
  expect([refused.status, refused.code]).toEqual([413, 'reply_too_large']);
  expect(refused.json.err).toMatch(/"key" or "tags"/);
  expect((await get({ key: 'LARGE_7' })).LARGE_7).toHaveLength(64_000);
});
