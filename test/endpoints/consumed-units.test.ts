import { readFileSync } from 'node:fs';
import { PARTITIONS } from '../../contract/table.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import type { AwsCall, Consumption } from '../../local/aws/services.ts';
import { isOn } from '../support/aws/faults.ts';
import { instance, withOpenInstance } from '../support/instance.ts';
import { secretsOf } from '../support/rows/many-secrets.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';

const CALLS = ['BatchGetItem', 'GetItem', 'PutItem'];
const CALLED = ['prompt-get-compiled', 'vault-get-secrets'];

const document = readFileSync(new URL('../../docs/contributing/access-patterns.md', import.meta.url), 'utf8');
const COLUMNS = [...CALLS, 'read units', 'write units'];
/** The rows below the heading that has these columns. */
const [, table = ''] = document.split(new RegExp(`\\n\\| call +\\| ${COLUMNS.join(' +\\| ')} +\\|\\n`));

/** The sum that the document states: numbers of calls, read units and write units. */
const costOf = (...names: string[]): readonly number[] => {
  const rows = names.map((name) =>
    (table.split(`\n| ${name} `)[1]?.split('\n', 1)[0]?.split('|') ?? []).slice(1, 6).map(Number),
  );
  return COLUMNS.map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? Number.NaN), 0));
};

const PROMPT_ROUTE = '/api/prompt/get-compiled';
const LARGE = { name: 'large', version: '1.0.0' };
const SECRETS_ROUTE = '/api/vault/get-secrets';

const consumed: Consumption[] = [];
let refusals = 0;
const isRefusal = isOn('PutItem', PARTITIONS.auditRefusal);
withOpenInstance({
  hooks: {
    onConsumed: (consumption: Consumption) => {
      if (CALLED.includes(consumption.operationId ?? '')) consumed.push(consumption);
    },
    intercept: (call: AwsCall) => {
      if (isRefusal(call)) refusals += 1;
      return undefined;
    },
  },
});
beforeAll(async () => {
  await newPrompt(instance.table, { prompt: '\n'.repeat(256 * 1024), name: LARGE.name });
});

/** The status of a call, its cost as in the document, and the units that it reads. */
const measure = async (route: string, body: unknown, apiKey?: string) => {
  consumed.length = 0;
  const { status } = await instance.post(route, body, apiKey);
  const calls = CALLS.map((name) => consumed.filter(({ operation }) => operation === name));
  expect(calls.flat()).toHaveLength(consumed.length);
  const [batches = 0, gets = 0, puts = 0] = calls.map((some) =>
    some.reduce((sum, { units }) => sum + units, 0),
  );
  const units = batches + gets;
  return { status, units, cost: [...calls.map(({ length }) => length), units, puts] };
};

const PROMPT = '`prompt-get-compiled`';
const VERSION = '+ a version that the container has not read yet';
const VAULT = '`vault-get-secrets`';
const PAGES = '+ a vault of 1,000 secrets that the container has not read yet';

test('fetching a prompt and 1,000 secrets costs what the document says, cold and warm', async () => {
  const { apiKey } = await instance.newKey();
  const one = await newPrompt(instance.table);
  const other = await newPrompt(instance.table);
  await importSecrets(instance.table, changeAt(), secretsOf(1_000));
  for (const [route, body, ...names] of [
    [PROMPT_ROUTE, { name: one.name }, PROMPT, VERSION],
    [PROMPT_ROUTE, { name: one.name }, PROMPT],
    [PROMPT_ROUTE, { promptId: one.promptId, version: '1.0.0' }, PROMPT],
    [PROMPT_ROUTE, { name: other.name, version: '1.0.0' }, PROMPT, VERSION],
    [SECRETS_ROUTE, {}, VAULT, PAGES],
    [SECRETS_ROUTE, {}, VAULT],
  ] as const)
    expect(await measure(route, body, apiKey)).toMatchObject({ status: 200, cost: costOf(...names) });
});

test('a failing call costs what a fetch costs, and at most one of a prompt in a second writes', async () => {
  const { apiKey } = await instance.newKey();
  const { name } = await newPrompt(instance.table);
  const fail = () => measure(PROMPT_ROUTE, { name, label: 'missing' }, apiKey);
  const began = Date.now();
  expect(await fail()).toMatchObject({ status: 404, cost: costOf(PROMPT) });
  let written = 1;
  for (let calls = 0; calls < 20; calls += 1) written += (await fail()).cost[2] ?? 0;
  expect(written).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / 1_000));
});

test('a call without a valid key, or without the permission, costs at most two read units, a malformed key none', async () => {
  const unknown = generateApiKey().apiKey;
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  const variables = { x: 'x'.repeat(100_000) };
  // Not exactly so many: DynamoDB Local counts nothing for an item that does not exist.
  for (const [most, route, body, key] of [
    [2, PROMPT_ROUTE, LARGE, unknown],
    [2, PROMPT_ROUTE, { name: LARGE.name }, unknown],
    [2, PROMPT_ROUTE, { ...LARGE, variables }, unknown],
    [2, SECRETS_ROUTE, {}, unknown],
    [1, PROMPT_ROUTE, '{', unknown],
    [0, PROMPT_ROUTE, LARGE, 'cue_nobody'],
  ] as const) {
    const { status, units } = await measure(route, body, key);
    expect([status, units <= most]).toEqual([401, true]);
  }
  expect(await measure(PROMPT_ROUTE, LARGE, apiKey)).toMatchObject({ status: 403, units: 2 });
});

test('repeated refusals of a key write one audit entry a minute', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  refusals = 0;
  for (let calls = 0; calls < 4; calls += 1) await instance.post(PROMPT_ROUTE, LARGE, apiKey);
  // The calls may fall into two minutes.
  expect([1, 2]).toContain(refusals);
});
