import { PARTITIONS } from '../../contract/table.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { createPrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import type { AwsCall, Consumption } from '../../local/aws/services.ts';
import { isOn } from '../support/aws/faults.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { content } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';

const PROMPT = '/api/prompt/get-compiled';
const SECRETS = '/api/vault/get-secrets';
const LARGE = { name: 'large', version: '1.0.0' };

const isRefusal = isOn('PutItem', PARTITIONS.auditRefusal);

const consumed: Consumption[] = [];
let refusals = 0;
let instance: TestInstance;
beforeAll(async () => {
  const onConsumed = (consumption: Consumption) => {
    if (consumption.operationId !== undefined) consumed.push(consumption);
  };
  const intercept = (call: AwsCall) => {
    if (isRefusal(call)) refusals += 1;
    return undefined;
  };
  instance = await openInstance({ hooks: { onConsumed, intercept } });
  const prompt = '\n'.repeat(256 * 1024);
  await createPrompt(instance.table, changeAt(), { ...content(prompt), name: LARGE.name });
});
afterAll(() => instance.stop());

/** The status of a call and the read units that it consumes. */
const measure = async (route: string, body: unknown, apiKey: string) => {
  consumed.length = 0;
  const { status } = await instance.post(route, body, apiKey);
  const reads = consumed.filter(({ operation }) => operation.endsWith('GetItem'));
  return { status, units: reads.reduce((sum, { units }) => sum + units, 0) };
};

test('a call without a valid key costs at most two read units', async () => {
  const unknown = generateApiKey().apiKey;
  // Not exactly two: DynamoDB Local counts nothing for an item that does not exist.
  const bodies = [LARGE, { name: LARGE.name }, { ...LARGE, variables: { x: 'x'.repeat(100_000) } }];
  for (const body of bodies) {
    const { status, units } = await measure(PROMPT, body, unknown);
    expect([status, units <= 2]).toEqual([401, true]);
  }
  const { status, units } = await measure(SECRETS, {}, unknown);
  expect([status, units <= 2]).toEqual([401, true]);
});

test('a call without the permission costs at most two read units', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  expect(await measure(PROMPT, LARGE, apiKey)).toEqual({ status: 403, units: 2 });
});

test('a malformed key costs no read, a body that is not JSON only the read of the key', async () => {
  expect(await measure(PROMPT, LARGE, 'cue_nobody')).toEqual({ status: 401, units: 0 });
  const { status, units } = await measure(PROMPT, '{', generateApiKey().apiKey);
  expect([status, units <= 1]).toEqual([401, true]);
});

test('repeated refusals of a key write one audit entry a minute', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  refusals = 0;
  for (let calls = 0; calls < 4; calls += 1) await instance.post(PROMPT, LARGE, apiKey);
  // The calls may fall into two minutes.
  expect([1, 2]).toContain(refusals);
});
