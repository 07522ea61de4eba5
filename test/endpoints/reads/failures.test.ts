import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { createFaults, isOn } from '../../support/aws/faults.ts';
import { instance, withOpenInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { accessesTo } from '../../support/rows/usage.ts';

const MARKED = 'MARKED-VALUE';
const faults = createFaults();
let secretId: string;
withOpenInstance({ hooks: { intercept: faults.intercept } });
beforeAll(async () => {
  await newPrompt(instance.table, { name: 'known', prompt: 'Hi {{who}}' });
  ({ secretId } = await createSecret(instance.table, changeAt(), { key: 'A', value: MARKED, tags: [] }));
});
afterEach(() => {
  faults.set(undefined);
  expect(instance.logs.join('')).not.toContain(MARKED);
});

const FAILED = 'com.amazonaws.dynamodb.v20120810';
const getSecrets = () => instance.post('/api/vault/get-secrets', {});
/** Fetches the prompt; the reply, and the line that is logged about it. */
const getPrompt = async () => {
  const compiling = { name: 'known', shouldCompile: true, variables: { who: MARKED } };
  const reply = await instance.post('/api/prompt/get-compiled', {
    ...compiling,
    metaProperties: { session: 's1' },
  });
  const requestId = reply.headers.get('cuevault-request-id') ?? '-';
  const lines = instance.logs.join('').split('\n');
  return { ...reply, line: lines.find((text) => text.includes(requestId)) ?? '{}' };
};

test('if the access entry cannot be written, the prompt is served, and the log has its metric and the whole entry, which can be written later and expires after 90 days', async () => {
  faults.set(isOn('PutItem', 'ACCESS#'));
  const { status, json, line } = await getPrompt();
  expect([status, json.res.compiledPrompt]).toEqual([200, `Hi ${MARKED}`]);
  const metrics = { AccessEntriesLost: 1, _aws: { CloudWatchMetrics: expect.any(Array) } };
  const { record, ...logged } = JSON.parse(line);
  expect(logged).toMatchObject({ level: 'ERROR', cause: { name: 'CuevaultError' }, ...metrics });
  const { promptId } = json.res;
  expect(await accessesTo(instance.table, promptId)).toEqual([]);
  await putItem(instance.table, record);
  expect(await accessesTo(instance.table, promptId)).toMatchObject([{ metaProperties: { session: 's1' } }]);
  expect(record.ttl).toBe(Math.floor(Date.parse(record.time) / 1_000) + 90 * 86_400);
});

test('an unexpected error returns 500 with a generic message; the log has the details under its id', async () => {
  faults.set(isOn('GetItem', 'PROMPT#'), `${FAILED}#ValidationException`);
  const { status, code, json, text, line } = await getPrompt();
  expect([status, code, json.res]).toEqual([500, 'internal', null]);
  expect(text).not.toMatch(/Injected|Validation|dynamo/i);
  expect(line).toMatch(/ValidationException/);
});

const expectNothing = async () => {
  const { status, code, text, json } = await getSecrets();
  expect([status, code, json.res]).toEqual([503, 'unavailable', null]);
  expect(text).not.toMatch(/MARKED|Injected/);
};

test('a cold container during an outage of KMS, and one that cannot read the key, the head or a page, releases nothing', async () => {
  faults.set(({ target }) => target.endsWith('.Decrypt'), 'KMSInternalException');
  await expectNothing();
  for (const partition of ['VAULT#', 'VAULTPAGE#', 'APIKEY#']) {
    await updateSecret(instance.table, changeAt(), secretId, { tags: [partition] });
    faults.set(isOn('GetItem', partition), `${FAILED}#InternalServerError`);
    await expectNothing();
  }
});

test('no value is released if the audit entry cannot be written; once the fault is over, the same container releases it', async () => {
  faults.set(isOn('PutItem', 'AUDIT-READ#'));
  for (let i = 0; i < 3; i++) await expectNothing();
  faults.set(undefined);
  expect((await getSecrets()).json.res).toEqual({ A: MARKED });
});
