import { Readable } from 'node:stream';
import { countQuestion } from '../../../lambdas/store/views/who-has.ts';
import { ask, column, refused, send } from '../../support/admin.ts';
import { onOneDay } from '../../support/days.ts';
import { operatorIdOf, tokenWith } from '../../support/operators.ts';
import { runHere } from '../../support/processes/process.ts';
import { putEnvironments } from '../../support/rows/environments.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own: the environments are those of the whole installation, and every stored value counts.
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
  const environments = await putEnvironments(['staging', 'other']);
  expect(column(environments, 'isNew')).toEqual([false, true, true]);
  await instance.settled();
  live = await create('URL', 'production');
  tested = await create('URL', 'staging', { ...IN, tags: ['db'] });
});

test('administrators say which environments are critical; new ones are if their names begin with "prod"', async () => {
  const critical = async (...args: [names: string[], more?: { critical: string[] }]) =>
    (await putEnvironments(...args)).flatMap((each: { isCritical: boolean; name: string }) =>
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
  await putEnvironments(['staging', 'qa']);
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
  await putEnvironments(['staging']);
  const late = await newKey('qa');
  const narrowed = await newKey('*');
  await ask('keys-update', { keyId: narrowed.keyId, name: 'narrowed', environments: ['qa'] });
  const again = { environments: ['default', 'staging', 'qa'], revision: revision + 1 };
  expect(await refused('environments-set', 'in_use', again)).toMatch(
    /add again: ("(of qa|narrowed)" \(\w{8}\)(, |\. )){2}Revoke/,
  );
  for (const { keyId } of [late, narrowed]) await ask('keys-revoke', { keyId });
  await putEnvironments(['staging', 'qa']);
});

describe('a question who has a value', () => {
  const LEAKED = 'MARKED-leaked-value';
  const FRESH = 'MARKED-fresh-value!';
  const UNKNOWN = 'MARKED-unknown-val!';
  const OPERATOR = 'arn:aws:iam::000000000000:role/ops';
  const command = (value: string) => instance.invoke('who-has', { operator: OPERATOR, input: { value } });
  const asked = (value: string, more = {}) => ask('vault-who-has', { value, ...more });
  const stateOf = async (value: string) => {
    const [{ number, state, receivers }] = (await asked(value)).found;
    return [number, state, ...receivers];
  };
  const create = async (fields: object) => (await ask('secrets-create', fields)).secret.secretId;
  const read = async (apiKey: string, environment = 'staging') => {
    expect((await instance.post('/api/vault/get-secrets', { environment }, apiKey)).status).toBe(200);
    await instance.settled();
  };

  let before: { apiKey: string; keyId: string };
  let after: { apiKey: string; keyId: string };
  let secretId: string;
  beforeAll(async () => {
    await putEnvironments();
    await instance.settled();
    before = await instance.newKey({ name: 'before', environments: ['staging'] });
    after = await instance.newKey({ name: 'after', environments: ['staging'] });
    await create({ key: 'DATABASE_URL', value: 'MARKED-another-one!' });
    secretId = await create({ ...IN, key: 'DATABASE_URL', value: LEAKED });
  });

  test('a value is found where it is current, with the keys that received it, and nowhere else', async () => {
    await read(before.apiKey);
    const receiver = { apiKeyId: before.keyId, isActive: true, isCertain: true, stillHasIt: true };
    const found = {
      ...IN,
      key: 'DATABASE_URL',
      secretId,
      number: 1,
      state: 'current',
      receivers: [receiver],
    };
    const reply = { total: 1, unopened: 0, found: [found] };
    expect(await asked(LEAKED)).toMatchObject(reply);
    expect(await asked(LEAKED, IN)).toMatchObject(reply);
    expect(await asked(LEAKED, { environment: 'default' })).toEqual({ total: 0, unopened: 0, found: [] });
  });

  test('once it is replaced and everybody has read the new value, it is certain who had it, and nobody still has it', async () => {
    await ask('secrets-update', { secretId, ...IN, value: FRESH });
    // Reads of a day are one counter, which keeps the revisions of the first and of the last.
    for (const { apiKey } of [after, after]) await read(apiKey);
    const receiver = { apiKeyName: 'before', stillHasIt: true };
    expect(await stateOf(LEAKED)).toMatchObject([1, 'former', receiver]);
    await read(before.apiKey);
    const certain = { ...receiver, isCertain: true, stillHasIt: false };
    expect(await stateOf(LEAKED)).toMatchObject([1, 'former', certain]);
  });

  test('a deleted secret is found, an equal length finds nothing, and a short value is refused', async () => {
    await ask('secrets-delete', { secretId, ...IN });
    expect(await stateOf(FRESH)).toMatchObject([2, 'deleted', { apiKeyName: 'after' }, {}]);
    expect((await asked(UNKNOWN)).found).toEqual([]);
    const short = { value: 'elevenbytes' };
    expect(await refused('vault-who-has', 'invalid_request', short)).toContain('12 bytes');
    expect(await command(short.value)).toMatchObject({ reply: { code: 'invalid_request' } });
    await refused('vault-who-has', 'environment_not_found', { value: LEAKED, environment: 'nowhere' });
  });

  test('every question is in the audit log with its outcome, a miss is counted, and the value is in neither it nor the logs', async () => {
    await command(UNKNOWN);
    const { entries } = await ask('audit-list', { action: 'vault.who-has' });
    const miss = { found: 0 };
    const hit = { found: 1 };
    expect(column(entries, 'details')).toEqual([miss, miss, hit, hit, hit, miss, { ...hit, ...IN }, hit]);
    expect(column(entries, 'actor').slice(0, 2)).toEqual([OPERATOR, 'admin@example.com']);
    const logs = instance.logs.join('\n');
    expect(logs.match(/"UnknownValues":1/g)).toHaveLength(3);
    expect(JSON.stringify(entries) + logs).not.toContain('MARKED');
  });

  test('a value of an environment that was removed since is found, with who received it', async () => {
    await putEnvironments(['staging', 'former']);
    await instance.settled();
    const former = { environment: 'former' };
    const { apiKey, keyId } = await instance.newKey({ name: 'formerly', environments: ['former'] });
    const value = 'MARKED-former-value';
    const formerId = await create({ ...former, key: 'TOKEN', value });
    await read(apiKey, 'former');
    await ask('secrets-delete', { secretId: formerId, ...former });
    await ask('keys-revoke', { keyId });
    await putEnvironments();
    const found = [{ ...former, key: 'TOKEN', receivers: [{ apiKeyId: keyId, isActive: false }] }];
    expect(await asked(value)).toMatchObject({ found });
    expect(await asked(value, former)).toMatchObject({ found });
  });

  test('the command line reads the value from standard input and names who received it', async () => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from('MARKED-another-one!\n') });
    const { out: answer } = await runHere('scripts/aws/who-has.ts', [], {
      CUEVAULT_DATA: instance.dataFolder,
    }).finally(() => Object.defineProperty(process, 'stdin', stdin));
    expect(answer).toContain('DATABASE_URL in default: the value no. 1 (current)');
    expect(answer).toContain('No API key is known to have read it.');
  });

  test('an operator asks 30 times a day, however many calls come at once, on whatever route', async () => {
    const at = new Date('2026-03-10T23:59:00.000Z');
    const questions = Array.from({ length: 33 }, () => countQuestion(instance.table, 'op', at));
    const outcomes = await Promise.allSettled(questions);
    const late = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(late).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    await countQuestion(instance.table, 'other', at);
    await countQuestion(instance.table, 'op', new Date('2026-03-11T00:00:00.000Z'));
    const body = { value: UNKNOWN };
    await onOneDay(async () => {
      const operatorId = await operatorIdOf(instance);
      await Promise.allSettled(questions.map(() => countQuestion(instance.table, operatorId, new Date())));
      const headers = { authorization: `Bearer ${await tokenWith(instance)}` };
      // The route of the command on a laptop.
      const route = `${instance.url}/2015-03-31/functions/who-has/invocations`;
      const reply = await fetch(route, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(await reply.json()).toMatchObject({ code: 'rate_limited' });
      return { sentence: await refused('vault-who-has', 'rate_limited', body) };
    });
  });
});
