import { readsBefore } from '../../../lambdas/store/audit-log.ts';
import { shardOf } from '../../../lambdas/store/entry-shards.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { beforeEachCall, throttled } from '../../support/aws/intercept.ts';
import type { TestKms } from '../../support/rows/kms.ts';
import { changeAt } from '../../support/rows/table.ts';
import { asking, openTestVaults, readAll, START, type TestVaults } from '../../support/rows/vault.ts';

let vaults: TestVaults;
let table: Table;
let kms: TestKms;
beforeAll(async () => {
  vaults = await openTestVaults();
  ({ table, kms } = await vaults.open());
  await importSecrets(table, changeAt(), [{ key: 'A', value: 'one' }], ['x']);
  await createSecret(table, changeAt(), { key: 'B', value: 'two', tags: ['x', 'y'] });
});
afterAll(() => vaults.stop());

const isAudit = (operation: string, input: unknown): boolean =>
  operation === 'PutCommand' && JSON.stringify(input).includes('AUDIT-READ#');

test('no value is released before its audit entry is written', async () => {
  let fails = 0;
  const failing = beforeEachCall(table, (operation, input) => {
    if (isAudit(operation, input)) throw ++fails % 2 === 0 ? throttled() : new Error('refused');
  });
  const reader = createVaultReader(failing, kms);
  const head = await reader.head();
  const released: unknown[] = [];
  const codes = new Set<string>();
  for (let n = 0; n < 8; n++) {
    await reader.read(head, asking()).then(
      (values) => released.push(values),
      ({ code }) => codes.add(code),
    );
  }
  expect(released).toEqual([]);
  expect([...codes]).toEqual(['unavailable']);
  expect(fails).toBeGreaterThan(8);
});

test('the audit entry records who requested what and the outcome, without values', async () => {
  const request = asking({ tags: ['x'] }, ['y']);
  await readAll(table, kms, request);
  const shard = shardOf(request.requestId, table.settings.shards);
  const day = START.toISOString().slice(0, 10);
  const entries = await Array.fromAsync(readsBefore(table, day, shard, '~'));
  const items = entries.filter(({ requestId }) => requestId === request.requestId);
  expect(items).toMatchObject([
    {
      apiKeyId: 'k1234567',
      apiKeyName: 'app',
      sourceIp: '203.0.113.7',
      userAgent: 'test',
      requestId: request.requestId,
      filter: { tags: ['x'] },
      restriction: ['y'],
      revision: 3,
      count: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  expect(JSON.stringify(items)).not.toContain('two');
});
