import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { createFaults, isOn } from '../../support/aws/faults.ts';
import { instance, withOpenInstance } from '../../support/instance.ts';
import { changeAt } from '../../support/rows/table.ts';

const ROUTE = '/api/vault/get-secrets';
const VALUE = 'MARKED-SECRET-VALUE';
const faults = createFaults();
let secretId: string;
withOpenInstance({ hooks: { intercept: faults.intercept } });
beforeAll(async () => {
  ({ secretId } = await createSecret(instance.table, changeAt(), { key: 'A', value: VALUE, tags: [] }));
});
afterEach(() => faults.set(undefined));

const expectNothing = async (status: number, code: string) => {
  const reply = await instance.post(ROUTE, {});
  expect([reply.status, reply.code, reply.json.res]).toEqual([status, code, null]);
  expect(reply.text).not.toContain(VALUE);
  expect(reply.text).not.toContain('Injected');
};

test('during an outage of KMS, a cold container releases nothing', async () => {
  faults.set(({ target }) => target.endsWith('.Decrypt'), 'KMSInternalException');
  await expectNothing(503, 'unavailable');
});

test('a failed read of the key, the head or a page releases nothing', async () => {
  for (const partition of ['VAULT#', 'VAULTPAGE#', 'APIKEY#']) {
    await updateSecret(instance.table, changeAt(), secretId, { tags: [partition] });
    faults.set(isOn('GetItem', partition), 'com.amazonaws.dynamodb.v20120810#InternalServerError');
    await expectNothing(503, 'unavailable');
  }
});

test('no value is released if the audit entry cannot be written', async () => {
  faults.set(isOn('PutItem', 'AUDIT-READ#'));
  for (let i = 0; i < 3; i++) await expectNothing(503, 'unavailable');
});

test('once the fault is over, the same container releases secrets again', async () => {
  expect((await instance.post(ROUTE, {})).json.res).toEqual({ A: VALUE });
});

test('no failure writes a value to the log', () => {
  expect(instance.logs.join('')).not.toContain(VALUE);
});
