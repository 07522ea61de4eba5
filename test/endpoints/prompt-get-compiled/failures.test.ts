import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { createFaults, isOn } from '../../support/aws/faults.ts';
import type { Reply } from '../../support/calls.ts';
import { instance, withOpenInstance } from '../../support/instance.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';

const ROUTE = '/api/prompt/get-compiled';
const faults = createFaults();
withOpenInstance({ hooks: { intercept: faults.intercept } });
beforeAll(async () => {
  await createPrompt(instance.table, changeAt(), { name: 'known', ...content('Hi {{who}}') });
});
afterEach(() => faults.set(undefined));

const body = {
  name: 'known',
  shouldCompile: true,
  variables: { who: 'VARIABLE-VALUE' },
  metaProperties: { session: 's1' },
};

const lineOf = ({ headers }: Reply): string => {
  const requestId = headers.get('cuevault-request-id') ?? '-';
  const lines = instance.logs.join('').split('\n');
  return lines.find((text) => text.includes(requestId)) ?? '{}';
};

test('if the access entry cannot be written, the prompt is served and the log has the whole entry and its metric', async () => {
  faults.set(isOn('PutItem', 'ACCESS#'));
  const reply = await instance.post(ROUTE, body);
  expect([reply.status, reply.json.res.compiledPrompt]).toEqual([200, 'Hi VARIABLE-VALUE']);
  const line = lineOf(reply);
  const logged = JSON.parse(line);
  expect(logged).toMatchObject({
    level: 'ERROR',
    AccessEntriesLost: 1,
    _aws: { CloudWatchMetrics: expect.any(Array) },
  });
  expect(logged.record.pk).toMatch('ACCESS#');
  expect(line).not.toContain('VARIABLE-VALUE');
});

test('an unexpected error returns 500 with a generic message; the log has the details under its id', async () => {
  faults.set(isOn('GetItem', 'PROMPT#'), 'com.amazonaws.dynamodb.v20120810#ValidationException');
  const reply = await instance.post(ROUTE, body);
  expect([reply.status, reply.code, reply.json.res]).toEqual([500, 'internal', null]);
  expect(reply.text).not.toMatch(/Injected|Validation|dynamo/i);
  const line = lineOf(reply);
  expect(line).toMatch(/ValidationException/);
  expect(line).not.toContain('VARIABLE-VALUE');
});
