import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { countQuestion } from '../../../lambdas/store/views/who-has.ts';
import { ask, refused } from '../../support/admin.ts';
import { operatorToken } from '../../support/operators.ts';
import { putEnvironments } from '../../support/rows/environments.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own: every stored value counts.
withOwnInstance();

const LEAKED = 'MARKED-leaked-value';
const IN = { environment: 'staging' };
const command = (value: string) =>
  instance.invoke('who-has', { operator: 'arn:aws:iam::000000000000:role/ops', input: { value } });
const asked = (value: string, more = {}) => ask(instance, 'vault-who-has', { body: { value, ...more } });
const stateOf = async (value: string) =>
  (await asked(value)).found.flatMap((found: { number: number; state: string; receivers: object[] }) => [
    ...[found.number, found.state, ...found.receivers],
  ]);
const create = async (body: object) => (await ask(instance, 'secrets-create', { body })).secret.secretId;
const read = async (environment: string, apiKey: string) => {
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
  await read('staging', before.apiKey);
  const found = {
    environment: 'staging',
    key: 'DATABASE_URL',
    secretId,
    number: 1,
    state: 'current',
    receivers: [{ apiKeyId: before.keyId, isActive: true, isCertain: true, stillHasIt: true }],
  };
  const reply = { total: 1, unopened: 0, found: [found] };
  expect(await asked(LEAKED)).toMatchObject(reply);
  expect(await asked(LEAKED, IN)).toMatchObject(reply);
  expect(await asked(LEAKED, { environment: 'default' })).toEqual({ total: 0, unopened: 0, found: [] });
});

test('once it is replaced and everybody has read the new value, it is certain who had it, and nobody still has it', async () => {
  await ask(instance, 'secrets-update', {
    params: { secretId },
    body: { ...IN, value: 'MARKED-fresh-value!' },
  });
  // Reads of a day are one counter, which keeps the revisions of the first and of the last.
  for (const { apiKey } of [after, after]) await read('staging', apiKey);
  expect(await stateOf(LEAKED)).toMatchObject([1, 'former', { apiKeyName: 'before', stillHasIt: true }]);
  await read('staging', before.apiKey);
  expect(await stateOf(LEAKED)).toMatchObject([
    ...[1, 'former', { apiKeyName: 'before', isCertain: true, stillHasIt: false }],
  ]);
});

test('a deleted secret is found, an equal length finds nothing, and a short value is refused', async () => {
  await ask(instance, 'secrets-delete', { params: { secretId }, query: IN });
  expect(await stateOf('MARKED-fresh-value!')).toMatchObject([2, 'deleted', { apiKeyName: 'after' }, {}]);
  expect((await asked('MARKED-unknown-val!')).found).toEqual([]);
  const body = { value: 'elevenbytes' };
  expect(await refused(instance, 'vault-who-has', 'invalid_request', { body })).toContain('12 bytes');
  expect(await command(body.value)).toMatchObject({ reply: { code: 'invalid_request' } });
});

test('only administrators ask, and about environments that exist', async () => {
  const body = { value: LEAKED };
  await refused(instance, 'vault-who-has', 'forbidden', { body, groups: ['editor'] });
  const nowhere = { body: { ...body, environment: 'nowhere' } };
  await refused(instance, 'vault-who-has', 'environment_not_found', nowhere);
});

test('every question is in the audit log with its outcome, a miss is counted, and the value is in neither it nor the logs', async () => {
  await command('MARKED-unknown-val!');
  const { entries } = await ask(instance, 'audit-list', { query: { action: 'vault.who-has' } });
  const outcomes = entries.map(({ details }: { details: object }) => details);
  const miss = { found: 0 };
  const hit = { found: 1 };
  expect(outcomes).toEqual([miss, miss, hit, hit, hit, miss, { ...hit, ...IN }, hit]);
  expect([entries[0].actor, entries[1].actor]).toEqual([
    'arn:aws:iam::000000000000:role/ops',
    'admin@example.com',
  ]);
  const logs = instance.logs.join('\n');
  expect(logs.match(/"UnknownValues":1/g)).toHaveLength(3);
  expect(JSON.stringify(entries) + logs).not.toContain('MARKED');
});

test('a value of an environment that was removed since is found, with who received it', async () => {
  await putEnvironments(instance, ['staging', 'former']);
  await instance.settled();
  const former = { environment: 'former' };
  const { apiKey, keyId } = await instance.newKey({ name: 'formerly', environments: ['former'] });
  const formerId = await create({ ...former, key: 'TOKEN', value: 'MARKED-former-value' });
  await read('former', apiKey);
  await ask(instance, 'secrets-delete', { params: { secretId: formerId }, query: former });
  await ask(instance, 'keys-revoke', { params: { keyId } });
  await putEnvironments(instance);
  const found = [{ environment: 'former', key: 'TOKEN', receivers: [{ apiKeyId: keyId, isActive: false }] }];
  expect(await asked('MARKED-former-value')).toMatchObject({ found });
  expect(await asked('MARKED-former-value', former)).toMatchObject({ found });
});

test('an operator asks 30 times a day, however many calls come at once', async () => {
  const at = new Date('2026-03-10T23:59:00.000Z');
  const ask30 = Array.from({ length: 33 }, () => countQuestion(instance.table, 'op', at));
  const outcomes = await Promise.allSettled(ask30);
  const late = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(late).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
  await countQuestion(instance.table, 'other', at);
  await countQuestion(instance.table, 'op', new Date('2026-03-11T00:00:00.000Z'));
});

test('the command line reads the value from standard input and names who received it', async () => {
  const run = async (input: string) => {
    const child = spawn(process.execPath, ['scripts/aws/who-has.ts'], {
      env: { ...process.env, CUEVAULT_DATA: instance.dataFolder, NODE_OPTIONS: '' },
    });
    child.stdin.end(input);
    return Promise.all([text(child.stdout), text(child.stderr)]);
  };
  expect(await run('short\n')).toEqual(['', expect.stringContaining('at least 12 bytes')]);
  const [answer] = await run('MARKED-another-one!\n');
  expect(answer).toContain('DATABASE_URL in default: the value no. 1 (current)');
  expect(answer).toContain('No API key is known to have read it.');
});

test('on a laptop, the route of the command has the same 30 questions as the endpoint', async () => {
  const headers = { authorization: `Bearer ${await operatorToken(instance)}` };
  const body = JSON.stringify({ value: 'MARKED-unknown-val!' });
  const route = `${instance.url}/2015-03-31/functions/who-has/invocations`;
  const codes: (string | undefined)[] = [];
  while (codes.length < 31 && codes.at(-1) === undefined)
    codes.push(
      (JSON.parse(await (await fetch(route, { method: 'POST', headers, body })).text()) as { code?: string })
        .code,
    );
  expect(codes.at(-1)).toBe('rate_limited');
  await refused(instance, 'vault-who-has', 'rate_limited', { body: { value: 'MARKED-unknown-val!' } });
});
