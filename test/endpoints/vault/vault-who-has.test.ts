import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { countQuestion } from '../../../lambdas/store/views/who-has.ts';
import { ask, column, refused } from '../../support/admin.ts';
import { onOneDay } from '../../support/days.ts';
import { operatorIdOf, tokenWith } from '../../support/operators.ts';
import { putEnvironments } from '../../support/rows/environments.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own: every stored value counts.
withOwnInstance();

const LEAKED = 'MARKED-leaked-value';
const FRESH = 'MARKED-fresh-value!';
const UNKNOWN = 'MARKED-unknown-val!';
const IN = { environment: 'staging' };
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
  await putEnvironments(instance);
  await instance.settled();
  before = await instance.newKey({ name: 'before', environments: ['staging'] });
  after = await instance.newKey({ name: 'after', environments: ['staging'] });
  await create({ key: 'DATABASE_URL', value: 'MARKED-another-one!' });
  secretId = await create({ ...IN, key: 'DATABASE_URL', value: LEAKED });
});

test('a value is found where it is current, with the keys that received it, and nowhere else', async () => {
  await read(before.apiKey);
  const receiver = { apiKeyId: before.keyId, isActive: true, isCertain: true, stillHasIt: true };
  const found = { ...IN, key: 'DATABASE_URL', secretId, number: 1, state: 'current', receivers: [receiver] };
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
  await putEnvironments(instance, ['staging', 'former']);
  await instance.settled();
  const former = { environment: 'former' };
  const { apiKey, keyId } = await instance.newKey({ name: 'formerly', environments: ['former'] });
  const value = 'MARKED-former-value';
  const formerId = await create({ ...former, key: 'TOKEN', value });
  await read(apiKey, 'former');
  await ask('secrets-delete', { secretId: formerId, ...former });
  await ask('keys-revoke', { keyId });
  await putEnvironments(instance);
  const found = [{ ...former, key: 'TOKEN', receivers: [{ apiKeyId: keyId, isActive: false }] }];
  expect(await asked(value)).toMatchObject({ found });
  expect(await asked(value, former)).toMatchObject({ found });
});

test('the command line reads the value from standard input and names who received it', async () => {
  const { stdin, stdout } = spawn(process.execPath, ['scripts/aws/who-has.ts'], {
    env: { ...process.env, CUEVAULT_DATA: instance.dataFolder, NODE_OPTIONS: '' },
  });
  stdin.end('MARKED-another-one!\n');
  const answer = await text(stdout);
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
