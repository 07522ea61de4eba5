import { ask, refused } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { changesOf } from '../support/rows/audit.ts';
import { secretValue, storeSecret } from '../support/rows/secrets.ts';
import { allItems } from '../support/rows/table.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const SHOP = uniqueName('SHOP');
const OTHER = uniqueName('OTHER');

let promptId: string;
beforeAll(async () => {
  ({ promptId } = await aPrompt());
  await storeSecret({ key: SHOP, tags: [SHOP, 'prod'] });
  await storeSecret({ key: OTHER, tags: ['prod'] });
});

const wanted = (rest: object = {}) => ({ name: 'web', permissions: ['prompts', 'secrets'], ...rest });
const secretsOf = (apiKey: string, body: object = {}) =>
  instance.post('/api/vault/get-secrets', body, apiKey);
const listed = async (q: string) => (await ask('keys-list', { q })).keys;
/** What the administrator has changed of a key, the latest first. */
const changes = async (keyId: string) =>
  (await changesOf(keyId)).flatMap(({ actor, action, name, details }) =>
    actor === 'admin@example.com' ? [[action, name, details]] : [],
  );

/** The replies of both endpoints to a key. */
const statuses = async (apiKey: string) => [
  (await instance.post('/api/prompt/get-compiled', { promptId }, apiKey)).status,
  (await secretsOf(apiKey)).status,
];

test('a new key works immediately, has the requested settings, and is neither stored nor logged; the audit log records who created it', async () => {
  const rest = { tags: ['prod', 'prod'], cidrs: ['127.0.0.0/8'], expiresAt: '2099-01-31T00:00:00Z' };
  const permissions = ['prompts', 'secrets'];
  const { apiKey, key } = await ask(
    'keys-create',
    wanted({ ...rest, permissions: [...permissions, 'prompts'] }),
  );
  expect(apiKey).toMatch(/^cue_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(await statuses(apiKey)).toEqual([200, 200]);
  const { keyId } = key;
  expect(key).toEqual({
    keyId: apiKey.slice(4, 12),
    kind: 'key',
    name: 'web',
    status: 'active',
    ...rest,
    permissions,
    tags: ['prod'],
    prompts: [],
    createdAt: expect.any(String),
    createdBy: 'admin@example.com',
  });
  await instance.settled();
  const keys = await listed(keyId);
  expect(keys).toEqual([expect.objectContaining({ ...key, calls: { prompts: 1, secrets: 1 } })]);
  const items = JSON.stringify(await allItems(instance.table));
  expect(items).toContain(keyId);
  expect(items + instance.logs.join('') + JSON.stringify(keys)).not.toContain(apiKey.slice(13, 45));
  const details = { permissions, tags: ['prod'], prompts: [], cidrs: rest.cidrs, expiresAt: rest.expiresAt };
  expect(await changes(keyId)).toEqual([['api-key.create', 'web', details]]);
});

test.each([
  ['"name"', { name: '  ' }],
  ['"name"', { name: 'é'.repeat(65) }],
  ['"permissions"', { permissions: [] }],
  ['"permissions[0]"', { permissions: ['admin'] }],
  ['"tags"', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
  ['"prompts[0]"', { prompts: [''] }],
  ['"prompts"', { prompts: Array(51).fill('x') }],
  ['localhost', { cidrs: ['localhost'] }],
  ['10.0.0.0/33', { cidrs: ['127.0.0.0/8', '10.0.0.0/33'] }],
  ['"cidrs"', { cidrs: Array.from({ length: 51 }, (_, i) => `10.0.${i}.0/24`) }],
  ['"environments"', { permissions: ['prompts'], environments: ['staging'] }],
  ['"expiresAt"', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['"expiresAt"', { expiresAt: '2099-02-31T00:00:00Z' }],
  ['"expiresAt"', { expiresAt: '2099-01-31T00:00:00' }],
])('a new key with a wrong %s is rejected by name', async (what, wrong) => {
  expect(await refused('keys-create', 'invalid_request', wanted(wrong))).toContain(what);
});

test('a key can be narrowed, which takes effect on the next request and is recorded once, and never widened', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'wide' });
  expect(Object.keys((await secretsOf(apiKey)).json.res)).toEqual(expect.arrayContaining([SHOP, OTHER]));
  const update = async (fields: object) => (await ask('keys-update', { keyId, ...fields })).key;
  const limits = { tags: [SHOP, 'prod'], prompts: ['none/*'], expiresAt: '2099-01-01T00:00:00Z' };
  await update({ ...limits, tags: [SHOP, 'prod', SHOP] });
  expect(await update({ name: 'narrow' })).toMatchObject({ keyId, name: 'narrow', ...limits });
  expect((await secretsOf(apiKey)).json.res).toEqual({ [SHOP]: secretValue('first') });
  expect((await secretsOf(apiKey, { key: OTHER })).code).toBe('secret_not_found');
  const narrow = await update({ name: 'narrow', permissions: ['prompts', 'secrets'] });
  for (const [wider, sentence] of [
    [{ tags: [SHOP] }, '"tags" must still contain "prod"'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'must be a time in the future'],
    [{ permissions: ['publish'] }, '"permissions"'],
  ] as const)
    expect(await refused('keys-update', 'invalid_request', { keyId, ...wider })).toContain(sentence);
  expect(await listed(keyId)).toEqual([expect.objectContaining(narrow)]);
  expect(await changes(keyId)).toMatchObject([
    ['api-key.update', 'narrow', { from: { name: 'wide' }, to: { name: 'narrow' } }],
    ['api-key.update', 'wide', { to: limits }],
  ]);
  await update({ permissions: ['prompts'], cidrs: ['127.0.0.0/8', '::1/128'] });
  expect((await secretsOf(apiKey)).code).toBe('forbidden');
});

test('only a key that publishes has a number of prompts that it may create, and it can be lowered', async () => {
  const without = { permissions: ['prompts'] };
  const sentence = '"mostPrompts" is only for keys with the permission "publish"';
  const refusal = (operation: 'keys-create' | 'keys-update', fields: object) =>
    refused(operation, 'invalid_request', fields);
  expect(await refusal('keys-create', { name: 'reader', ...without, mostPrompts: 5 })).toContain(sentence);
  const { keyId } = await instance.newKey({ permissions: ['prompts', 'publish'], mostPrompts: 5 });
  expect(await refusal('keys-update', { keyId, mostPrompts: 6 })).toContain(
    '"mostPrompts" must not be above 5',
  );
  await ask('keys-update', { keyId, mostPrompts: 4 });
  expect(await refusal('keys-update', { keyId, ...without })).toContain(sentence);
  const { key } = await ask('keys-update', { keyId, ...without, mostPrompts: 0 });
  expect(key).toMatchObject({ ...without, mostPrompts: 0 });
});

test('a request that is sent again, also at the same time, creates no second key and does not show the first one', async () => {
  const requestId = uniqueName('request');
  const create = (rest: object = {}) => ask('keys-create', wanted(rest));
  const replies = [
    ...(await Promise.all([create({ requestId }), create({ requestId })])),
    await create({ requestId }),
  ];
  const { keyId } = replies[0].key;
  expect(replies.map(({ key }) => key.keyId)).toEqual([keyId, keyId, keyId]);
  const shown = replies.map(({ apiKey, repeated }) => [typeof apiKey, repeated]);
  expect(shown.sort()).toEqual([['string', undefined], ...Array(2).fill(['undefined', true])].sort());
  const isRefused = async (rest: object = {}) =>
    expect(await refused('keys-create', 'invalid_request', wanted({ requestId, ...rest }))).toContain(
      `created the key "web" (${keyId})`,
    );
  const replaces = (await create({ requestId: uniqueName('request') })).key.keyId;
  expect(replaces).not.toBe(keyId);
  for (const other of [
    { name: 'other' },
    { permissions: ['secrets'] },
    { environments: ['*'] },
    { replaces },
  ])
    await isRefused(other);
  await ask('keys-revoke', { keyId });
  await isRefused();
});

test('a successor has its own id, and the list shows it with the key that it replaces', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'old' });
  const successor = (name: string) => ({ name, permissions: ['secrets'], replaces: keyId });
  const first = (await ask('keys-create', successor('first'))).key;
  const second = (await ask('keys-create', successor('second'))).key;
  expect(second).toMatchObject({ replaces: keyId });
  const replacedBy = { keyId: second.keyId, name: 'second' };
  expect(await listed(keyId)).toMatchObject([{ status: 'active', replacedBy }]);
  expect((await secretsOf(apiKey)).status).toBe(200);
  await ask('keys-revoke', { keyId: second.keyId });
  expect(await listed(keyId)).toMatchObject([{ replacedBy: { keyId: first.keyId } }]);
  await ask('keys-revoke', { keyId });
  expect(await refused('keys-create', 'invalid_request', successor('x'))).toContain('"old" is revoked');
  expect(await refused('keys-update', 'invalid_request', { keyId, name: 'x' })).toContain('"old" is revoked');
});

test('both endpoints reject the next request with a revoked key; other keys still work, and the audit log records once by whom', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'leaked' });
  // Warm containers that have just accepted it must reject it too.
  expect(await statuses(apiKey)).toEqual([200, 200]);
  const reply = await ask('keys-revoke', { keyId });
  expect(await statuses(apiKey)).toEqual([401, 401]);
  expect(await statuses(instance.firstRun.apiKey)).toEqual([200, 200]);
  expect(reply.key).toMatchObject({
    keyId,
    name: 'leaked',
    status: 'revoked',
    createdBy: 'operator@example.com',
    revokedAt: expect.any(String),
    revokedBy: 'admin@example.com',
  });
  expect((await ask('keys-list', { status: 'revoked', q: keyId })).keys).toMatchObject([reply.key]);
  expect(await ask('keys-revoke', { keyId })).toEqual(reply);
  expect(await changes(keyId)).toEqual([['api-key.revoke', 'leaked', expect.any(Object)]]);
});

test('a key that has expired can be revoked too, and no key by itself instead of its id', async () => {
  const expiresAt = '2026-01-02T00:00:00Z';
  const { apiKey, keyId } = await instance.newKey({ at: new Date('2026-01-01T00:00:00Z'), expiresAt });
  await refused('keys-revoke', 'api_key_not_found', { keyId: apiKey });
  const { key } = await ask('keys-revoke', { keyId });
  expect(key).toMatchObject({ status: 'revoked', expiresAt });
});

test.each(['prompts', 'secrets', 'publish', 'compare'] as const)(
  'a key with the permission %s learns its id, its name and its limits, and nothing that proves it',
  async (permission) => {
    const limits = { permissions: [permission], prompts: ['a/*'] };
    const { apiKey, keyId } = await instance.newKey(limits);
    expect(await ask('whoami', {}, { token: apiKey })).toEqual({
      keyId,
      name: 'test key',
      ...limits,
      tags: [],
      cidrs: [],
      address: expect.stringMatching(LOOPBACK),
      at: expect.stringMatching(/^20.+Z$/),
    });
  },
);
