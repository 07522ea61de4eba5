import { ask, column, refused, send } from '../../support/admin.ts';
import { putEnvironments } from '../../support/rows/environments.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own: the environments are those of the whole installation.
withOwnInstance();

const IN = { environment: 'staging' };
const read = async (body: object, apiKey?: string) => {
  const { status, code, json } = await instance.post('/api/vault/get-secrets', body, apiKey);
  return status === 200 ? json.res : [status, code, json.err];
};
const made: string[] = [];
const newKey = async (...environments: string[]) => {
  const limits = environments.length === 0 ? {} : { environments };
  const name = `of ${environments.join() || 'none'}`;
  const key = await instance.newKey({ name, permissions: ['secrets'], ...limits });
  made.push(key.keyId);
  return key;
};
const create = async (key: string, value: string, more = {}) =>
  (await ask('secrets-create', { key, value, ...more })).secret.secretId;

let live: string;
let tested: string;
beforeAll(async () => {
  const environments = await putEnvironments(instance, ['staging', 'other']);
  expect(column(environments, 'isNew')).toEqual([false, true, true]);
  await instance.settled();
  live = await create('URL', 'production');
  tested = await create('URL', 'staging', { ...IN, tags: ['db'] });
});

test('administrators say which environments are critical; new ones are if their names begin with "prod"', async () => {
  const critical = async (...args: [names: string[], more?: { critical: string[] }]) =>
    (await putEnvironments(instance, ...args)).flatMap((each: { isCritical: boolean; name: string }) =>
      each.isCritical ? [each.name] : [],
    );
  const names = ['staging', 'other'];
  const more = [...names, 'prod-eu', 'nonprod'];
  expect(await critical(names)).toEqual([]);
  expect(await critical(more)).toEqual(['prod-eu']);
  await instance.settled();
  expect(await critical(more.toReversed())).toEqual(['prod-eu']);
  expect(await critical(more, { critical: ['other', 'default'] })).toEqual(['default', 'other']);
  expect(await critical(names, { critical: [] })).toEqual([]);
  const wrong = { environments: ['default', ...names], critical: ['prod-eu'], revision: 1 };
  expect(await refused('environments-set', 'invalid_request', wrong)).toContain('"critical"');
});

test.each([
  [['staging'], 'must contain "default"'],
  [['default', 'Staging'], 'lower-case'],
  [['default', 'a', 'a'], 'twice'],
  [['default', 'x'.repeat(33)], '32 bytes'],
  [['default', ...Array.from({ length: 20 }, (_, n) => `e${n}`)], 'at most 20'],
])('the environments %j are refused', async (environments, sentence) => {
  expect(await refused('environments-set', 'invalid_request', { environments, revision: 1 })).toContain(
    sentence,
  );
});

test('a call without an environment means default, whatever the key may read', async () => {
  const all = await newKey('*');
  const one = await newKey('staging', 'other');
  const none = await newKey();
  for (const { apiKey } of [all, none]) expect(await read({}, apiKey)).toEqual({ URL: 'production' });
  expect(await read(IN, all.apiKey)).toEqual({ URL: 'staging' });
  expect(await read({ ...IN, tags: ['db'] }, one.apiKey)).toEqual({ URL: 'staging' });
  expect(await read({ environment: 'other' }, one.apiKey)).toEqual({});
  const required = expect.stringContaining('"staging" or "other"');
  expect(await read({}, one.apiKey)).toEqual([400, 'environment_required', required]);
});

test('an environment that a key may not read and one that does not exist answer alike, and never with {}', async () => {
  const one = await newKey();
  const all = await newKey('*');
  for (const [environment, { apiKey }] of [
    ['staging', one],
    ['nowhere', one],
    ['nowhere', all],
  ] as const) {
    const sentence = `There is no environment "${environment}" that you may use. Check "environment".`;
    expect(await read({ environment }, apiKey)).toEqual([404, 'environment_not_found', sentence]);
  }
  for (const environment of [null, '', 'NO', 1])
    expect((await read({ environment }, all.apiKey))[1]).toBe('invalid_request');
});

test('every endpoint for secrets is about one environment', async () => {
  const of = { ...IN, secretId: tested };
  const idsIn = async (query = {}) => column((await ask('secrets-list', query)).secrets, 'secretId');
  expect([await idsIn(), await idsIn(IN)]).toEqual([[live], [tested]]);
  await refused('secrets-get', 'secret_not_found', { secretId: tested });
  await ask('secrets-update', { ...of, value: 'second' });
  await ask('secrets-rollback', { ...of, number: 1 });
  const imported = { ...IN, text: 'URL=imported\nNEW=1' };
  const preview = await ask('secrets-import', { ...imported, dryRun: true });
  expect([preview.created, preview.updated]).toEqual([['NEW'], ['URL']]);
  await ask('secrets-import', { ...imported, skip: ['URL'] });
  await ask('secrets-delete', of);
  const deleted = async (query = {}) =>
    column((await ask('secrets-list-deleted', query)).secrets, 'secretId');
  expect([await deleted(), await deleted(IN)]).toEqual([[], [tested]]);
  await ask('secrets-restore', of);
  const { vault } = await ask('vault-get', IN);
  const { revision } = vault;
  expect((await ask('revisions-list', IN)).revisions[0]).toMatchObject({ revision });
  const dry = { ...IN, revision: revision - 1, dryRun: true };
  expect(await ask('revisions-restore', dry)).toMatchObject({ removed: ['URL'] });
  await ask('rotation-start', { ...IN, keyVersion: 1 });
  await instance.settled();
  expect((await ask('vault-get', IN)).vault.keyVersion).toBe(2);
  expect((await ask('vault-get')).vault.keyVersion).toBe(1);
  const { apiKey } = await newKey('*');
  expect(await read(IN, apiKey)).toEqual({ URL: 'staging', NEW: '1' });
  await ask('serving-set', { ...IN, allowed: false, reason: 'x' });
  expect((await read(IN, apiKey))[1]).toBe('vault_stopped');
  expect(await read({}, apiKey)).toEqual({ URL: 'production' });
  await ask('serving-set', { ...IN, allowed: true });
  await refused('secrets-list', 'environment_not_found', { environment: 'nowhere' });
});

test('a list of all environments has every key with its secrets in each, gaps first, as soon as one matches', async () => {
  await instance.settled();
  const other = { environment: 'other' };
  const secretId = await create('URL', 'other', { ...other, tags: ['seldom'] });
  const all = { environment: '*' };
  const listed = async (query: object) =>
    (await ask('secrets-list', { ...all, ...query })).secrets.map(
      ({ key, environment }: { key: string; environment: string }) => `${key} ${environment}`,
    );
  const url = ['URL default', 'URL staging', 'URL other'];
  for (const query of [{}, { sort: 'gaps' }]) expect(await listed(query)).toEqual(['NEW staging', ...url]);
  expect(await listed({ sort: 'gaps', tag: 'seldom' })).toEqual(url);
  const forgotten = async () =>
    column((await ask('secrets-list', { ...all, sort: 'gaps' })).secrets, 'forgottenIn');
  expect(await forgotten()).toEqual([['default', 'other'], [], [], []]);
  await ask('secrets-delete', { secretId: live });
  expect(await forgotten()).toEqual([['other'], [], []]);
  await ask('secrets-restore', { secretId: live });
  expect(await listed({ tag: 'seldom' })).toEqual(['URL other']);
  const page = { sort: 'gaps', limit: 2 };
  const { cursor } = await ask('secrets-list', { ...all, ...page });
  expect(await listed({ ...page, cursor })).toEqual(url.slice(1));
  expect(column((await ask('environments-list')).environments, 'secrets')).toEqual([1, 2, 1]);
  await ask('secrets-delete', { secretId, ...other });
});

test('key details, overview and audit log tell the environments apart', async () => {
  const { keyId, apiKey } = await newKey('staging');
  await read(IN, apiKey);
  await instance.settled();
  expect(await ask('keys-get', { keyId })).toMatchObject({
    secrets: { allowed: 2, total: 3 },
    read: [
      { environment: 'staging', key: 'NEW' },
      { environment: 'staging', key: 'URL' },
    ],
  });
  const limits = { permissions: ['secrets'], environments: ['*'] };
  const { secrets } = await ask('keys-reach', limits);
  expect(secrets.first).toEqual(['URL', 'NEW of staging', 'URL of staging']);
  const { secret, readers } = await ask('secrets-get', { secretId: tested, ...IN });
  expect([secret.key, readers[0]]).toMatchObject(['URL', { apiKeyId: keyId, reads: 1 }]);
  expect((await ask('overview-get')).totals.secrets).toBe(3);
  const { entries } = await ask('audit-list', { actor: keyId });
  expect(entries).toMatchObject([{ kind: 'read', details: IN }]);
});

test('of lists that are sent at once one is kept, which the audit log names, and none is taken that does not say which list it replaces', async () => {
  for (const keyId of made) await ask('keys-revoke', { keyId });
  const { revision } = await ask('environments-list');
  const names = ['one', 'two', 'three'];
  const put = (name = '', rest: object = { revision }) =>
    send('environments-set', { environments: ['default', 'staging', name], ...rest });
  expect((await put(names[0], {})).code).toBe('invalid_request');
  const codes = column(await Promise.all(names.map((name) => put(name))), 'code');
  expect(codes.toSorted()).toEqual([null, 'changed_meanwhile', 'changed_meanwhile'].toSorted());
  const kept = names[codes.indexOf(null)];
  const to = ['default', 'staging', kept];
  expect(column((await ask('environments-list')).environments, 'name')).toEqual(to);
  const { entries } = await ask('audit-list', { subject: 'environments' });
  const details = { from: ['default', 'staging', 'other'], to };
  expect(entries[0]).toMatchObject({ action: 'environments.set', details });
  await instance.settled();
});

test('an environment is not removed while active keys or trusts name it, nor added again, so none reads its successor in silence', async () => {
  await putEnvironments(instance, ['staging', 'qa']);
  await instance.settled();
  const trust = { kind: 'trust', issuer: instance.firstRun.identityIssuer, match: { '/sub': 'ci' } };
  const wanted = { name: 'of a trust', permissions: ['secrets'], environments: ['staging', 'qa'], ...trust };
  const named = [(await newKey('qa')).keyId, (await ask('keys-create', wanted)).key.keyId];
  await newKey('*');
  const { revision } = await ask('environments-list');
  const inUse = { environments: ['default', 'staging'], revision };
  expect(await refused('environments-set', 'in_use', inUse)).toMatch(
    /: ("of (qa|a trust)" \(\w{8}\)(, |\. )){2}Revoke/,
  );
  for (const keyId of named) await ask('keys-revoke', { keyId });
  await putEnvironments(instance, ['staging']);
  const late = await newKey('qa');
  const narrowed = await newKey('*');
  await ask('keys-update', { keyId: narrowed.keyId, name: 'narrowed', environments: ['qa'] });
  const again = { environments: ['default', 'staging', 'qa'], revision: revision + 1 };
  expect(await refused('environments-set', 'in_use', again)).toMatch(
    /add again: ("(of qa|narrowed)" \(\w{8}\)(, |\. )){2}Revoke/,
  );
  for (const { keyId } of [late, narrowed]) await ask('keys-revoke', { keyId });
  await putEnvironments(instance, ['staging', 'qa']);
});
