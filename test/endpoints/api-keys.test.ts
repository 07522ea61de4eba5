import { documentationOf } from '../../contract/documentation.ts';
import { whoami } from '../../contract/endpoints/api-keys.ts';
import { createApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { ask, refused, send } from '../support/admin.ts';
import { LOOPBACK, toReply } from '../support/calls.ts';
import { changesBy } from '../support/rows/audit.ts';
import { secretValue, storeSecret } from '../support/rows/secrets.ts';
import { allItems, changeAt } from '../support/rows/table.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const PROMPT = '/api/prompt/get-compiled';
const SECRETS = '/api/vault/get-secrets';

const SHOP = uniqueName('SHOP');
const OTHER = uniqueName('OTHER');

let promptId: string;
beforeAll(async () => {
  ({ promptId } = await aPrompt(instance));
  await storeSecret(instance, { key: SHOP, tags: [SHOP, 'prod'] });
  await storeSecret(instance, { key: OTHER, tags: ['prod'] });
});

const wanted = (rest: object = {}) => ({ name: 'web', permissions: ['prompts', 'secrets'], ...rest });
const create = async (rest: object = {}): Promise<{ apiKey: string; key: { keyId: string } }> =>
  ask(instance, 'keys-create', { body: wanted(rest) });

/** The replies of both endpoints to a key. */
const statuses = async (apiKey: string): Promise<(number | string)[]> => {
  const replies = [
    await instance.post(PROMPT, { promptId }, apiKey),
    await instance.post(SECRETS, {}, apiKey),
  ];
  return replies.map(({ status, code }) => code ?? status);
};

test('a new key works immediately and has the requested settings', async () => {
  const rest = { tags: ['prod', 'prod'], cidrs: ['127.0.0.0/8'], expiresAt: '2099-01-31T00:00:00Z' };
  const { apiKey, key } = await create({ ...rest, permissions: ['prompts', 'secrets', 'prompts'] });
  expect(apiKey).toMatch(/^cue_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(await statuses(apiKey)).toEqual([200, 200]);
  expect(key).toEqual({
    keyId: apiKey.slice(4, 12),
    kind: 'key',
    name: 'web',
    permissions: ['prompts', 'secrets'],
    tags: ['prod'],
    prompts: [],
    cidrs: rest.cidrs,
    expiresAt: rest.expiresAt,
    status: 'active',
    createdAt: expect.any(String),
    createdBy: 'admin@example.com',
  });
  await instance.settled();
  const { keys } = await ask(instance, 'keys-list', { query: { q: key.keyId } });
  expect(keys).toEqual([expect.objectContaining({ ...key, calls: { prompts: 1, secrets: 1 } })]);
});

test('a key with tags sees only the secrets that carry all of them', async () => {
  const { apiKey } = await create({ tags: [SHOP, 'prod'] });
  expect((await instance.post(SECRETS, {}, apiKey)).json.res).toEqual({ [SHOP]: secretValue('first') });
  expect((await instance.post(SECRETS, { key: OTHER }, apiKey)).code).toBe('secret_not_found');
});

test('the key itself is not stored, and the audit log records who created it with which permissions', async () => {
  const { apiKey, key } = await create({ name: 'audited', permissions: ['prompts'], tags: ['t'] });
  const items = JSON.stringify(await allItems(instance.table));
  expect(items).toContain(key.keyId);
  const kept = items + instance.logs.join('') + JSON.stringify(await ask(instance, 'keys-list'));
  expect(kept).not.toContain(apiKey.slice(13, 45));
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === key.keyId);
  expect(changes).toEqual([
    expect.objectContaining({
      action: 'api-key.create',
      name: 'audited',
      details: { permissions: ['prompts'], tags: ['t'], prompts: [], cidrs: [] },
    }),
  ]);
});

test.each([
  ['a blank name', { name: '  ' }, '"name"'],
  ['a name above 128 bytes', { name: 'é'.repeat(65) }, '"name"'],
  ['no permission', { permissions: [] }, '"permissions"'],
  ['a permission that there is not', { permissions: ['admin'] }, '"permissions[0]"'],
  ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, '"tags"'],
  ['an empty name of a prompt', { prompts: [''] }, '"prompts[0]"'],
  ['51 names of prompts', { prompts: Array(51).fill('x') }, '"prompts"'],
  ['an address without a range', { cidrs: ['localhost'] }, 'localhost'],
  ['a range beyond 32 bits', { cidrs: ['127.0.0.0/8', '10.0.0.0/33'] }, '10.0.0.0/33'],
  ['51 ranges', { cidrs: Array.from({ length: 51 }, (_, i) => `10.0.${i}.0/24`) }, '"cidrs"'],
  ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, '"expiresAt"'],
  ['an expiry that is no time', { expiresAt: '2099-02-31T00:00:00Z' }, '"expiresAt"'],
  ['an expiry in no zone', { expiresAt: '2099-01-31T00:00:00' }, '"expiresAt"'],
])('%s is rejected by name', async (_, wrong, what) => {
  expect(await refused(instance, 'keys-create', 'invalid_request', { body: wanted(wrong) })).toContain(what);
});

const released = async (apiKey: string): Promise<string[]> =>
  Object.keys((await instance.post('/api/vault/get-secrets', {}, apiKey)).json.res);

test('a key that was narrowed reads fewer secrets from the next request on', async () => {
  const tag = uniqueName('tag');
  const key = uniqueName('NARROWED');
  await ask(instance, 'secrets-create', { body: { key, value: 'x', tags: [tag] } });
  await ask(instance, 'secrets-create', { body: { key: `${key}_2`, value: 'x', tags: [] } });
  const { apiKey, keyId } = await instance.newKey({ name: 'wide' });
  expect(await released(apiKey)).toEqual(expect.arrayContaining([key, `${key}_2`]));
  const body = { name: 'narrow', tags: [tag, tag], prompts: ['none/*'] };
  const { key: changed } = await ask(instance, 'keys-update', { params: { keyId }, body });
  expect(changed).toMatchObject({ keyId, name: 'narrow', tags: [tag], prompts: ['none/*'] });
  expect(await released(apiKey)).toEqual([key]);
  const { keys } = await ask(instance, 'keys-list', { query: { q: keyId } });
  expect(keys).toEqual([expect.objectContaining(changed)]);
});

test('a wider limit is refused, and changes nothing', async () => {
  const expiresAt = '2099-01-01T00:00:00Z';
  const limits = { tags: ['one', 'two'], prompts: ['a/*'], expiresAt };
  const { apiKey, keyId } = await instance.newKey(limits);
  for (const [body, sentence] of [
    [{ tags: ['one'] }, '"tags" must still contain "two"'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'must be a time in the future'],
  ] as const) {
    const message = await refused(instance, 'keys-update', 'invalid_request', { params: { keyId }, body });
    expect(message).toContain(sentence);
  }
  expect(await released(apiKey)).toEqual([]);
  const { keys } = await ask(instance, 'keys-list', { query: { q: keyId } });
  expect(keys).toMatchObject([{ ...limits, status: 'active' }]);
});

test('only a key that publishes has a number of prompts that it may create, and it can be lowered', async () => {
  const body = { name: 'reader', permissions: ['prompts'], mostPrompts: 5 };
  const sentence = '"mostPrompts" is only for keys with the permission "publish"';
  expect(await refused(instance, 'keys-create', 'invalid_request', { body })).toContain(sentence);
  const { keyId } = await instance.newKey({ permissions: ['prompts', 'publish'], mostPrompts: 5 });
  const change = (wanted: object) => ({ params: { keyId }, body: wanted });
  expect(await refused(instance, 'keys-update', 'invalid_request', change({ mostPrompts: 6 }))).toContain(
    '"mostPrompts" must not be above 5',
  );
  await ask(instance, 'keys-update', change({ mostPrompts: 4 }));
  const without = { permissions: ['prompts'] };
  expect(await refused(instance, 'keys-update', 'invalid_request', change(without))).toContain(sentence);
  const { key } = await ask(instance, 'keys-update', change({ ...without, mostPrompts: 0 }));
  expect(key).toMatchObject({ ...without, mostPrompts: 0 });
});

test('a key can lose permissions, from the next request on, and gains none', async () => {
  const { apiKey, keyId } = await instance.newKey({ permissions: ['prompts', 'secrets'] });
  const params = { keyId };
  const body = { permissions: ['prompts' as const], cidrs: ['127.0.0.0/8', '::1/128'] };
  await ask(instance, 'keys-update', { params, body });
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).code).toBe('forbidden');
  const wider = { permissions: ['secrets' as const] };
  await refused(instance, 'keys-update', 'invalid_request', { params, body: wider });
});

test('the audit log records what changed, and nothing if nothing did', async () => {
  const { keyId } = await instance.newKey({ name: 'before' });
  const params = { keyId };
  await ask(instance, 'keys-update', { params, body: { name: 'after' } });
  await ask(instance, 'keys-update', { params, body: { name: 'after', tags: [] } });
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === keyId);
  expect(changes).toMatchObject([
    { action: 'api-key.update', name: 'after', details: { from: { name: 'before' }, to: { name: 'after' } } },
  ]);
});

test('a revoked key cannot be changed', async () => {
  const { keyId } = await instance.newKey({ name: 'gone' });
  await ask(instance, 'keys-revoke', { params: { keyId } });
  const body = { name: 'back' };
  const message = await refused(instance, 'keys-update', 'invalid_request', { params: { keyId }, body });
  expect(message).toContain('"gone" is revoked');
});

test('no concurrent change is lost: one fails, or both take effect', async () => {
  const { keyId } = await instance.newKey();
  const params = { keyId };
  const replies = await Promise.all(
    ['one', 'two'].map((tag) => send(instance, 'keys-update', { params, body: { tags: [tag] } })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a request that is sent again, also at the same time, creates no second key and does not show the first one', async () => {
  const requestId = uniqueName('request');
  const send = () => create({ requestId });
  const replies: { apiKey?: string; repeated?: true; key: { keyId: string } }[] = [
    ...(await Promise.all([send(), send()])),
    await send(),
  ];
  expect(new Set(replies.map(({ key }) => key.keyId)).size).toBe(1);
  expect(replies.filter(({ apiKey, repeated }) => apiKey !== undefined && !repeated)).toHaveLength(1);
  expect(replies.filter(({ apiKey, repeated }) => apiKey === undefined && repeated)).toHaveLength(2);
  const keyId = replies[0]?.key.keyId ?? '';
  const created = `created the key "web" (${keyId})`;
  const refusedWith = async (rest: object) =>
    refused(instance, 'keys-create', 'invalid_request', { body: wanted({ requestId, ...rest }) });
  const replaces = (await create()).key.keyId;
  for (const other of [
    { name: 'other' },
    { permissions: ['secrets'] },
    { environments: ['*'] },
    { replaces },
  ])
    expect(await refusedWith(other)).toContain(created);
  expect((await create({ requestId: uniqueName('request') })).key.keyId).not.toBe(keyId);
  await ask(instance, 'keys-revoke', { params: { keyId } });
  expect(await refusedWith({})).toContain(created);
});

test('a successor has its own id, and the list shows it with the key that it replaces', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'old' });
  const create = async (name: string) => {
    const body = { name, permissions: ['secrets' as const], replaces: keyId };
    return (await ask(instance, 'keys-create', { body })).key;
  };
  const first = await create('first');
  const second = await create('second');
  const row = async () => (await ask(instance, 'keys-list', { query: { q: keyId } })).keys[0];
  expect(second).toMatchObject({ replaces: keyId });
  expect(await row()).toMatchObject({
    status: 'active',
    replacedBy: { keyId: second.keyId, name: 'second' },
  });
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(200);
  await ask(instance, 'keys-revoke', { params: { keyId: second.keyId } });
  expect(await row()).toMatchObject({ replacedBy: { keyId: first.keyId } });
  await ask(instance, 'keys-revoke', { params: { keyId } });
  const body = { name: 'x', permissions: ['secrets' as const], replaces: keyId };
  expect(await refused(instance, 'keys-create', 'invalid_request', { body })).toContain('"old" is revoked');
});

test('both endpoints reject the next request with a revoked key; other keys still work', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'leaked' });
  const { promptId } = await aPrompt(instance);
  const codes = async (key: string) => [
    (await instance.post('/api/prompt/get-compiled', { promptId }, key)).status,
    (await instance.post('/api/vault/get-secrets', {}, key)).status,
  ];
  // Warm containers that have just accepted it must reject it too.
  expect(await codes(apiKey)).toEqual([200, 200]);
  const { key } = await ask(instance, 'keys-revoke', { params: { keyId } });
  expect(await codes(apiKey)).toEqual([401, 401]);
  expect(await codes(instance.firstRun.apiKey)).toEqual([200, 200]);
  expect(key).toMatchObject({
    keyId,
    name: 'leaked',
    status: 'revoked',
    createdBy: 'operator@example.com',
    revokedAt: expect.any(String),
    revokedBy: 'admin@example.com',
  });
  const { keys } = await ask(instance, 'keys-list', { query: { status: 'revoked', q: keyId } });
  expect(keys).toEqual([expect.objectContaining(key)]);
});

test('the audit log records once who revoked it, however often it is revoked', async () => {
  const { keyId } = await instance.newKey({ name: 'twice' });
  const params = { keyId };
  const first = await ask(instance, 'keys-revoke', { params });
  expect(await ask(instance, 'keys-revoke', { params })).toEqual(first);
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === keyId);
  expect(changes).toEqual([expect.objectContaining({ action: 'api-key.revoke', name: 'twice' })]);
});

test('after concurrent revocations the key no longer works for anyone', async () => {
  const { apiKey, keyId } = await instance.newKey();
  const replies = await Promise.all(
    [1, 2, 3].map(() => send(instance, 'keys-revoke', { params: { keyId } })),
  );
  for (const { status, code } of replies)
    expect([null, 'changed_meanwhile']).toContain(status === 200 ? null : code);
  expect(replies.map(({ status }) => status)).toContain(200);
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(401);
});

test('a key that has expired can be revoked too', async () => {
  const { record } = await createApiKey(instance.table, changeAt(new Date('2026-01-01T00:00:00Z')), {
    name: 'expired',
    permissions: ['prompts'],
    expiresAt: '2026-01-02T00:00:00Z',
  });
  const { key } = await ask(instance, 'keys-revoke', { params: { keyId: record.keyId } });
  expect(key).toMatchObject({ status: 'revoked', expiresAt: '2026-01-02T00:00:00Z' });
});

test('a key is revoked by id; the key itself is not an id', async () => {
  const { apiKey } = await instance.newKey();
  for (const keyId of ['unknown0', apiKey, '__proto__']) {
    await refused(instance, 'keys-revoke', 'api_key_not_found', { params: { keyId } });
  }
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(200);
});

test.each(['prompts', 'secrets', 'publish', 'compare'] as const)(
  'a key with the permission %s learns its id, its name and its limits, and nothing that proves it',
  async (permission) => {
    const { apiKey, keyId } = await instance.newKey({ permissions: [permission], prompts: ['a/*'] });
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status, json } = await toReply(await fetch(`${instance.url}/api/whoami`, { headers }));
    expect(status).toBe(200);
    expect(documentationOf(whoami).reply.parse(json.res)).toEqual(json.res);
    expect(json.res).toEqual({
      keyId,
      name: 'test key',
      permissions: [permission],
      tags: [],
      prompts: ['a/*'],
      cidrs: [],
      address: expect.stringMatching(LOOPBACK),
      at: expect.stringMatching(/^20.+Z$/),
    });
  },
);
