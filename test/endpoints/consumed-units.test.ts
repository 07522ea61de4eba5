import { readFileSync } from 'node:fs';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import type { Consumption } from '../../local/aws/services.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { secretsOf } from '../support/rows/many-secrets.ts';
import { newPrompt } from '../support/rows/prompts.ts';
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

const consumed: Consumption[] = [];
let instance: TestInstance;
beforeAll(async () => {
  const onConsumed = (consumption: Consumption) => {
    if (CALLED.includes(consumption.operationId ?? '')) consumed.push(consumption);
  };
  instance = await openInstance({ hooks: { onConsumed } });
});
afterAll(() => instance.stop());

const measure = async (route: string, body: unknown, apiKey?: string): Promise<Cost> => {
  consumed.length = 0;
  const { status } = await instance.post(route, body, apiKey);
  expect(status).toBe(200);
  const calls = (operation: string) => consumed.filter((call) => call.operation === operation);
  const units = (operations: readonly string[]) =>
    operations.flatMap(calls).reduce((sum, call) => sum + call.units, 0);
  expect(consumed.every(({ operation }) => COLUMNS.includes(operation))).toBe(true);
  return [
    ...['BatchGetItem', 'GetItem', 'PutItem'].map((operation) => calls(operation).length),
    units(['BatchGetItem', 'GetItem']),
    units(['PutItem']),
  ];
};
const getPrompt = (body: object, apiKey?: string) => measure('/api/prompt/get-compiled', body, apiKey);
const getSecrets = (apiKey?: string) => measure('/api/vault/get-secrets', {}, apiKey);

const PROMPT = '`prompt-get-compiled`';
const VERSION = '+ a version that the container has not read yet';
const VAULT = '`vault-get-secrets`';
const PAGES = '+ a vault of 1,000 secrets that the container has not read yet';

test('fetching a prompt costs what the document says: latest and by version, cold and warm', async () => {
  const { apiKey } = await instance.newKey();
  const [one, other] = [await newPrompt(instance.table), await newPrompt(instance.table)];
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
