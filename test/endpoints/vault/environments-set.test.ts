import { ask, refused, send } from '../../support/admin.ts';
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
const newKey = async (limits: object) => {
  const body = { name: 'app', permissions: ['secrets'], ...limits };
  const { apiKey, key } = await ask(instance, 'keys-create', { body });
  made.push(key.keyId);
  return { apiKey, keyId: key.keyId };
};
const create = async (key: string, value: string, more = {}) =>
  (await ask(instance, 'secrets-create', { body: { key, value, ...more } })).secret.secretId;

let live: string;
let tested: string;
beforeAll(async () => {
  const environments = await putEnvironments(instance, ['staging', 'other']);
  expect(environments.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([false, true, true]);
  await instance.settled();
  live = await create('URL', 'production');
  tested = await create('URL', 'staging', { ...IN, tags: ['db'] });
});

test('the job gives new environments their vaults, and operators of every group see the list', async () => {
  expect(await ask(instance, 'environments-list', { groups: ['viewer'] })).toMatchObject({
    environments: ['default', 'staging', 'other'].map((name) => ({ name, isNew: false })),
  });
});

test('administrators say which environments are critical; new ones are if their names begin with "prod"', async () => {
  const critical = async (...args: [names: string[], more?: { critical: string[] }]) =>
    (await putEnvironments(instance, ...args))
      .filter((each: { isCritical: boolean }) => each.isCritical)
      .map(({ name }: { name: string }) => name);
  const names = ['staging', 'other'];
  const more = [...names, 'prod-eu', 'nonprod'];
  expect(await critical(names)).toEqual([]);
  expect(await critical(more)).toEqual(['prod-eu']);
  await instance.settled();
  expect(await critical(more.toReversed())).toEqual(['prod-eu']);
  expect(await critical(more, { critical: ['other', 'default'] })).toEqual(['default', 'other']);
  expect(await critical(names, { critical: [] })).toEqual([]);
  const body = { environments: ['default', ...names], critical: ['prod-eu'], revision: 1 };
  expect(await refused(instance, 'environments-set', 'invalid_request', { body })).toContain('"critical"');
});

test.each([
  [['staging'], 'must contain "default"'],
  [['default', 'Staging'], 'lower-case'],
  [['default', 'a', 'a'], 'twice'],
  [['default', 'x'.repeat(33)], '32 bytes'],
  [['default', ...Array.from({ length: 20 }, (_, n) => `e${n}`)], 'at most 20'],
])('the environments %j are refused', async (environments, sentence) => {
  expect(
    await refused(instance, 'environments-set', 'invalid_request', { body: { environments, revision: 1 } }),
  ).toContain(sentence);
});

test('a call without an environment means default, whatever the key may read', async () => {
  const all = await newKey({ environments: ['*'] });
  const one = await newKey({ environments: ['staging', 'other'] });
  const none = await newKey({});
  expect(await read({}, all.apiKey)).toEqual({ URL: 'production' });
  expect(await read({}, none.apiKey)).toEqual({ URL: 'production' });
  expect(await read(IN, all.apiKey)).toEqual({ URL: 'staging' });
  expect(await read({ ...IN, tags: ['db'] }, one.apiKey)).toEqual({ URL: 'staging' });
  expect(await read({ environment: 'other' }, one.apiKey)).toEqual({});
  expect(await read({}, one.apiKey)).toEqual([
    ...[400, 'environment_required', expect.stringContaining('"staging" or "other"')],
  ]);
});

test('an environment that a key may not read and one that does not exist answer alike, and never with {}', async () => {
  const { apiKey } = await newKey({});
  const sentenceFor = (name: string) =>
    `There is no environment "${name}" that you may use. Check "environment".`;
  for (const environment of ['staging', 'nowhere'])
    expect(await read({ environment }, apiKey)).toEqual([
      ...[404, 'environment_not_found', sentenceFor(environment)],
    ]);
  const all = await newKey({ environments: ['*'] });
  expect(await read({ environment: 'nowhere' }, all.apiKey)).toEqual([
    ...[404, 'environment_not_found', sentenceFor('nowhere')],
  ]);
  for (const environment of [null, '', 'NO', 1])
    expect((await read({ environment }, all.apiKey))[1]).toBe('invalid_request');
});

test('environments of a key can be narrowed and not widened, and only a key that reads secrets has them', async () => {
  const { keyId, apiKey } = await newKey({ environments: ['*'] });
  const update = (environments: string[], code?: string) => {
    const sent = { params: { keyId }, body: { environments } };
    return code === undefined
      ? ask(instance, 'keys-update', sent)
      : refused(instance, 'keys-update', code, sent);
  };
  await update(['staging', 'default']);
  await update(['*'], 'invalid_request');
  await update(['other'], 'invalid_request');
  await update(['staging']);
  expect((await read({}, apiKey))[1]).toBe('environment_required');
  await update([], 'invalid_request');
  await refused(instance, 'keys-create', 'invalid_request', {
    body: { name: 'p', permissions: ['prompts'], environments: ['staging'] },
  });
});

test('every endpoint for secrets is about one environment', async () => {
  const params = { secretId: tested };
  const keysIn = async (query = {}) =>
    (await ask(instance, 'secrets-list', { query })).secrets.map(
      ({ secretId }: { secretId: string }) => secretId,
    );
  expect([await keysIn(), await keysIn(IN)]).toEqual([[live], [tested]]);
  await refused(instance, 'secrets-get', 'secret_not_found', { params });
  await ask(instance, 'secrets-update', { params, body: { ...IN, value: 'second' } });
  await ask(instance, 'secrets-rollback', { params, body: { ...IN, number: 1 } });
  const text = 'URL=imported\nNEW=1';
  const preview = await ask(instance, 'secrets-import', { body: { ...IN, text, dryRun: true } });
  expect([preview.created, preview.updated]).toEqual([['NEW'], ['URL']]);
  await ask(instance, 'secrets-import', { body: { ...IN, text, skip: ['URL'] } });
  await ask(instance, 'secrets-delete', { params, query: IN });
  const deleted = (await ask(instance, 'secrets-list-deleted', { query: IN })).secrets;
  expect(deleted).toMatchObject([{ secretId: tested }]);
  expect((await ask(instance, 'secrets-list-deleted')).secrets).toEqual([]);
  await ask(instance, 'secrets-restore', { params, query: IN });
  const { vault } = await ask(instance, 'vault-get', { query: IN });
  expect((await ask(instance, 'revisions-list', { query: IN })).revisions[0].revision).toBe(vault.revision);
  const dry = { params: { revision: String(vault.revision - 1) }, body: { ...IN, dryRun: true } };
  expect(await ask(instance, 'revisions-restore', dry)).toMatchObject({ removed: ['URL'] });
  await ask(instance, 'rotation-start', { body: { ...IN, keyVersion: 1 } });
  await instance.settled();
  expect((await ask(instance, 'vault-get', { query: IN })).vault.keyVersion).toBe(2);
  expect((await ask(instance, 'vault-get')).vault.keyVersion).toBe(1);
  const all = await newKey({ environments: ['*'] });
  expect(await read(IN, all.apiKey)).toEqual({ URL: 'staging', NEW: '1' });
  await ask(instance, 'serving-set', { body: { ...IN, allowed: false, reason: 'x' } });
  expect((await read(IN, all.apiKey))[1]).toBe('vault_stopped');
  expect(await read({}, all.apiKey)).toEqual({ URL: 'production' });
  await ask(instance, 'serving-set', { body: { ...IN, allowed: true } });
  await refused(instance, 'secrets-list', 'environment_not_found', { query: { environment: 'nowhere' } });
});

test('a list of all environments has every key with its secrets in each, gaps first, as soon as one matches', async () => {
  await create('URL', 'other', { environment: 'other', tags: ['seldom'] });
  const listed = async (query: object) =>
    (await ask(instance, 'secrets-list', { query: { environment: '*', ...query } })).secrets.map(
      ({ key, environment }: { key: string; environment: string }) => `${key} ${environment}`,
    );
  const url = ['URL default', 'URL staging', 'URL other'];
  expect(await listed({ sort: 'gaps' })).toEqual(['NEW staging', ...url]);
  expect(await listed({})).toEqual(['NEW staging', 'URL default', 'URL staging', 'URL other']);
  expect(await listed({ sort: 'gaps', tag: 'seldom' })).toEqual(url);
  expect(await listed({ tag: 'seldom' })).toEqual(['URL other']);
  const first = await ask(instance, 'secrets-list', { query: { environment: '*', sort: 'gaps', limit: 2 } });
  expect(await listed({ sort: 'gaps', limit: 2, cursor: first.cursor })).toEqual(url.slice(1));
  const { environments } = await ask(instance, 'environments-list');
  expect(environments.map(({ secrets }: { secrets: number }) => secrets)).toEqual([1, 2, 1]);
  const [{ secretId }] = (await ask(instance, 'secrets-list', { query: { environment: 'other' } })).secrets;
  await ask(instance, 'secrets-delete', { params: { secretId }, query: { environment: 'other' } });
});

test('key details, overview and audit log tell the environments apart', async () => {
  const own = await newKey({ name: 'only staging', environments: ['staging'] });
  await read(IN, own.apiKey);
  await instance.settled();
  const details = await ask(instance, 'keys-get', { params: { keyId: own.keyId } });
  expect(details).toMatchObject({ secrets: { allowed: 2, total: 3 } });
  expect(details.read).toMatchObject([
    { environment: 'staging', key: 'NEW' },
    { environment: 'staging', key: 'URL' },
  ]);
  const { secret, readers: ofSecret } = await ask(instance, 'secrets-get', {
    params: { secretId: tested },
    query: IN,
  });
  expect([secret.key, ofSecret[0].apiKeyId, ofSecret[0].reads]).toEqual(['URL', own.keyId, 1]);
  const { totals } = await ask(instance, 'overview-get');
  expect(totals.secrets).toBe(3);
  const { entries } = await ask(instance, 'audit-list', { query: { actor: own.keyId } });
  expect(entries).toMatchObject([{ kind: 'read', details: { environment: 'staging' } }]);
});

test('an environment with secrets is not removed; an empty one is, and the change is in the audit log', async () => {
  for (const keyId of made) await ask(instance, 'keys-revoke', { params: { keyId } });
  const { revision } = await ask(instance, 'environments-list');
  const body = { environments: ['default', 'other'], revision };
  expect(await refused(instance, 'environments-set', 'environment_not_empty', { body })).toContain(
    '"staging"',
  );
  await putEnvironments(instance);
  const { entries } = await ask(instance, 'audit-list', { query: { subject: 'environments' } });
  expect(entries[0]).toMatchObject({
    action: 'environments.set',
    details: { from: ['default', 'staging', 'other'], to: ['default', 'staging'] },
  });
});

test('of lists that are sent at once one is kept, and none is taken that does not say which list it replaces', async () => {
  const { revision } = await ask(instance, 'environments-list');
  const put = (name: string, rest: object) =>
    send(instance, 'environments-set', { body: { environments: ['default', 'staging', name], ...rest } });
  const names = ['one', 'two', 'three'];
  expect((await Promise.all(names.map((name) => put(name, {})))).map(({ code }) => code)).toEqual(
    names.map(() => 'invalid_request'),
  );
  const codes = (await Promise.all(names.map((name) => put(name, { revision })))).map(({ code }) => code);
  expect(codes.toSorted()).toEqual([null, 'changed_meanwhile', 'changed_meanwhile'].toSorted());
  const kept = names[codes.indexOf(null)];
  const { environments } = await ask(instance, 'environments-list');
  expect(environments.map(({ name }: { name: string }) => name)).toEqual(['default', 'staging', kept]);
  await instance.settled();
});

test('an environment is not removed while active keys or trusts name it, nor added again, so none reads its successor in silence', async () => {
  await putEnvironments(instance, ['staging', 'qa']);
  await instance.settled();
  const trust = { kind: 'trust', issuer: instance.firstRun.identityIssuer, match: { '/sub': 'ci' } };
  const named = [
    await newKey({ name: 'qa tests', environments: ['qa'] }),
    await newKey({ name: 'qa trust', environments: ['staging', 'qa'], ...trust }),
  ];
  await newKey({ name: 'everything', environments: ['*'] });
  const { revision } = await ask(instance, 'environments-list');
  const body = { environments: ['default', 'staging'], revision };
  const sentence = await refused(instance, 'environments-set', 'in_use', { body });
  expect(sentence).toMatch(/: ("qa (tests|trust)" \(\w{8}\)(, |\. )){2}Revoke/);
  expect(sentence).not.toContain('everything');
  for (const { keyId } of named) await ask(instance, 'keys-revoke', { params: { keyId } });
  await putEnvironments(instance, ['staging']);
  const late = await newKey({ name: 'too late', environments: ['qa'] });
  const narrowed = await newKey({ name: 'narrowed', environments: ['*'] });
  const params = { keyId: narrowed.keyId };
  await ask(instance, 'keys-update', { params, body: { environments: ['qa'] } });
  const again = { environments: ['default', 'staging', 'qa'], revision: revision + 1 };
  const both = await refused(instance, 'environments-set', 'in_use', { body: again });
  expect(both).toMatch(/add again: ("(too late|narrowed)" \(\w{8}\)(, |\. )){2}Revoke/);
  for (const { keyId } of [late, narrowed]) await ask(instance, 'keys-revoke', { params: { keyId } });
  await putEnvironments(instance, ['staging', 'qa']);
});
