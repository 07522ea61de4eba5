import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { WhoHas } from '../../lambdas/store/views/who-has.ts';
import { ask } from '../support/admin.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

// An instance of its own: every stored value counts.
withOwnInstance();

const LEAKED = 'MARKED-leaked-value';
const IN = { environment: 'staging' };
const outcome = (value: string) =>
  instance.invoke('who-has', { operator: 'arn:aws:iam::000000000000:role/ops', input: { value } });
const asked = async (value: string): Promise<WhoHas> => {
  const { reply } = (await outcome(value)) as { reply: { res: WhoHas } };
  return reply.res;
};
const create = async (body: object) => (await ask(instance, 'secrets-create', { body })).secret.secretId;
const read = async (environment: string, apiKey: string) => {
  expect((await instance.post('/api/vault/get-secrets', { environment }, apiKey)).status).toBe(200);
  await instance.settled();
};

let before: { apiKey: string; keyId: string };
let after: { apiKey: string; keyId: string };
let secretId: string;
beforeAll(async () => {
  await ask(instance, 'environments-set', { body: { environments: ['default', 'staging'] } });
  await instance.settled();
  before = await instance.newKey({ name: 'before', environments: ['staging'] });
  after = await instance.newKey({ name: 'after', environments: ['staging'] });
  await create({ key: 'DATABASE_URL', value: 'MARKED-another-one!' });
  secretId = await create({ ...IN, key: 'DATABASE_URL', value: LEAKED });
});

test('a value is found where it is current, with the keys that received it, and nowhere else', async () => {
  await read('staging', before.apiKey);
  const { found, unopened } = await asked(LEAKED);
  expect(unopened).toBe(0);
  expect(found).toMatchObject([
    {
      ...{ environment: 'staging', key: 'DATABASE_URL', secretId, number: 1, state: 'current' },
      receivers: [{ apiKeyId: before.keyId, isActive: true, isCertain: true, stillHasIt: true }],
    },
  ]);
});

test('once it is replaced and everybody has read the new value, nobody is left who still has it', async () => {
  await ask(instance, 'secrets-update', {
    params: { secretId },
    body: { ...IN, value: 'MARKED-fresh-value!' },
  });
  await read('staging', after.apiKey);
  const still = async () =>
    (await asked(LEAKED)).found.flatMap(({ number, state, receivers }) => [
      ...[number, state],
      ...receivers.map(({ apiKeyName, stillHasIt }) => [apiKeyName, stillHasIt]),
    ]);
  expect(await still()).toEqual([1, 'former', ['before', true]]);
  await read('staging', before.apiKey);
  // Its reads of today are one counter: the first returned the value, which the last cannot prove.
  const [value] = (await asked(LEAKED)).found;
  expect(value?.receivers).toMatchObject([{ apiKeyName: 'before', isCertain: false, stillHasIt: false }]);
});

test('a deleted secret is found, an equal length finds nothing, and a short value is refused', async () => {
  await ask(instance, 'secrets-delete', { params: { secretId }, query: IN });
  expect((await asked('MARKED-fresh-value!')).found).toMatchObject([{ state: 'deleted', number: 2 }]);
  expect(await asked('MARKED-unknown-val!')).toEqual({ found: [], unopened: 0 });
  expect(await outcome('elevenbytes')).toMatchObject({ reply: { code: 'invalid_request' } });
});

test('every question is in the audit log with its outcome, and the value is in neither it nor the logs', async () => {
  const { entries } = await ask(instance, 'audit-list', { query: { action: 'vault.who-has' } });
  const [miss, hit] = entries;
  expect(entries).toHaveLength(5);
  expect([miss.details, hit.details, hit.actor]).toEqual([
    ...[{ found: 0 }, { found: 1 }, 'arn:aws:iam::000000000000:role/ops'],
  ]);
  expect(JSON.stringify(entries)).not.toContain('MARKED');
  expect(instance.logs.join()).not.toContain('MARKED');
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
