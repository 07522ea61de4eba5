import { readFileSync } from 'node:fs';
import { PARTITIONS } from '../../contract/table.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { createPrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import type { AwsCall, Consumption } from '../../local/aws/services.ts';
import { isOn } from '../support/aws/faults.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { secretsOf } from '../support/rows/many-secrets.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';

const COLUMNS = ['BatchGetItem', 'GetItem', 'PutItem', 'read units', 'write units'];

const CALLED = ['prompt-get-compiled', 'vault-get-secrets'];

type Cost = readonly number[];

const document = readFileSync(new URL('../../docs/contributing/access-patterns.md', import.meta.url), 'utf8');

/** The rows of the document's first table with these columns: the operation and its cost. */
const documented = (): ReadonlyMap<string, Cost> => {
  const lines = document.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const head = lines.findIndex((cells) => COLUMNS.every((column, i) => cells[i + 2] === column));
  const rest = lines.slice(head + 2);
  const rows = rest.slice(
    0,
    rest.findIndex((cells) => cells.length === 1),
  );
  return new Map(rows.map(([, name = '', ...cells]) => [name, cells.slice(0, COLUMNS.length).map(Number)]));
};

/** The sum that the document states. */
const costOf = (...names: string[]): Cost => {
  const costs = names.map((name) => documented().get(name) ?? [Number.NaN]);
  return COLUMNS.map((_, i) => costs.reduce((sum, cost) => sum + (cost[i] ?? Number.NaN), 0));
};

const PROMPT_ROUTE = '/api/prompt/get-compiled';
const LARGE = { name: 'large', version: '1.0.0' };
const SECRETS_ROUTE = '/api/vault/get-secrets';

const consumed: Consumption[] = [];
let refusals = 0;
let instance: TestInstance;
beforeAll(async () => {
  const onConsumed = (consumption: Consumption) => {
    if (CALLED.includes(consumption.operationId ?? '')) consumed.push(consumption);
  };
  const isRefusal = isOn('PutItem', PARTITIONS.auditRefusal);
  const intercept = (call: AwsCall) => {
    if (isRefusal(call)) refusals += 1;
    return undefined;
  };
  instance = await openInstance({ hooks: { onConsumed, intercept } });
  const large = content('\n'.repeat(256 * 1024));
  await createPrompt(instance.table, changeAt(), { ...large, name: LARGE.name });
});
afterAll(() => instance.stop());

/** The status of a call, and what it costs. */
const measure = async (route: string, body: unknown, apiKey?: string) => {
  consumed.length = 0;
  const { status } = await instance.post(route, body, apiKey);
  const calls = (operation: string) => consumed.filter((call) => call.operation === operation);
  const unitsOf = (operations: readonly string[]) =>
    operations.flatMap(calls).reduce((sum, { units }) => sum + units, 0);
  expect(consumed.every(({ operation }) => COLUMNS.includes(operation))).toBe(true);
  const units = unitsOf(['BatchGetItem', 'GetItem']);
  const numbers = ['BatchGetItem', 'GetItem', 'PutItem'].map((operation) => calls(operation).length);
  return { status, units, cost: [...numbers, units, unitsOf(['PutItem'])] };
};
const successful = async (route: string, body: unknown, apiKey?: string): Promise<Cost> => {
  const { status, cost } = await measure(route, body, apiKey);
  expect(status).toBe(200);
  return cost;
};
const getPrompt = (body: object, apiKey?: string) => successful(PROMPT_ROUTE, body, apiKey);
const getSecrets = (apiKey?: string) => successful(SECRETS_ROUTE, {}, apiKey);

const PROMPT = '`prompt-get-compiled`';
const VERSION = '+ a version that the container has not read yet';
const VAULT = '`vault-get-secrets`';
const PAGES = '+ a vault of 1,000 secrets that the container has not read yet';

test('fetching a prompt costs what the document says: latest and by version, cold and warm', async () => {
  const { apiKey } = await instance.newKey();
  const one = await newPrompt(instance.table);
  const other = await newPrompt(instance.table);
  expect(await getPrompt({ name: one.name }, apiKey)).toEqual(costOf(PROMPT, VERSION));
  expect(await getPrompt({ name: one.name }, apiKey)).toEqual(costOf(PROMPT));
  expect(await getPrompt({ promptId: one.promptId, version: '1.0.0' }, apiKey)).toEqual(costOf(PROMPT));
  const byVersion = { name: other.name, version: '1.0.0' };
  expect(await getPrompt(byVersion, apiKey)).toEqual(costOf(PROMPT, VERSION));
});

test('fetching 1,000 secrets costs what the document says, cold and warm', async () => {
  await importSecrets(instance.table, changeAt(), secretsOf(1_000));
  const { apiKey } = await instance.newKey();
  expect(await getSecrets(apiKey)).toEqual(costOf(VAULT, PAGES));
  expect(await getSecrets(apiKey)).toEqual(costOf(VAULT));
});

test('a failing call costs what a fetch costs, and at most one of a prompt in a second writes', async () => {
  const { apiKey } = await instance.newKey();
  const { name } = await newPrompt(instance.table);
  const body = { name, label: 'missing' };
  const began = Date.now();
  const { status, cost } = await measure(PROMPT_ROUTE, body, apiKey);
  expect([status, cost]).toEqual([404, costOf(PROMPT)]);
  let written = 1;
  for (let calls = 0; calls < 20; calls += 1)
    written += (await measure(PROMPT_ROUTE, body, apiKey)).cost[2] ?? 0;
  expect(written).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / 1_000));
});

test('a call without a valid key costs at most two read units', async () => {
  const unknown = generateApiKey().apiKey;
  // Not exactly two: DynamoDB Local counts nothing for an item that does not exist.
  const bodies = [LARGE, { name: LARGE.name }, { ...LARGE, variables: { x: 'x'.repeat(100_000) } }];
  for (const body of bodies) {
    const { status, units } = await measure(PROMPT_ROUTE, body, unknown);
    expect([status, units <= 2]).toEqual([401, true]);
  }
  const { status, units } = await measure(SECRETS_ROUTE, {}, unknown);
  expect([status, units <= 2]).toEqual([401, true]);
});

test('a call without the permission costs at most two read units', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  expect(await measure(PROMPT_ROUTE, LARGE, apiKey)).toMatchObject({ status: 403, units: 2 });
});

test('a malformed key costs no read, a body that is not JSON only the read of the key', async () => {
  expect(await measure(PROMPT_ROUTE, LARGE, 'cue_nobody')).toMatchObject({ status: 401, units: 0 });
  const { status, units } = await measure(PROMPT_ROUTE, '{', generateApiKey().apiKey);
  expect([status, units <= 1]).toEqual([401, true]);
});

test('repeated refusals of a key write one audit entry a minute', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  refusals = 0;
  for (let calls = 0; calls < 4; calls += 1) await instance.post(PROMPT_ROUTE, LARGE, apiKey);
  // The calls may fall into two minutes.
  expect([1, 2]).toContain(refusals);
});
