import { writeAuditRefusal } from '../../../lambdas/http/refusals.ts';
import { recentRefusals } from '../../../lambdas/store/views/refusals.ts';
import { table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const refuse = (at: string, apiKeyId: string) =>
  writeAuditRefusal(table, {
    at: new Date(at),
    apiKeyId,
    apiKeyName: `the key ${apiKeyId}`,
    operationId: 'vault-get-secrets',
    reason: 'expired',
    requestId: `request-${apiKeyId}`,
    sourceIp: '203.0.113.7',
    userAgent: 'test',
  });

test('the refusals of thirty days that begin in January and end in March include all of February', async () => {
  await refuse('2031-01-29T23:59:00.000Z', 'too-old');
  await refuse('2031-01-31T12:00:00.000Z', 'january');
  await refuse('2031-02-14T12:00:00.000Z', 'february');
  await refuse('2031-03-01T08:00:00.000Z', 'march');
  const found = await recentRefusals(table, 30, new Date('2031-03-01T12:00:00.000Z'));
  expect(found.map(({ keyId, lastAt }) => [keyId, lastAt])).toEqual([
    ['march', '2031-03-01T08:00:00.000Z'],
    ['february', '2031-02-14T12:00:00.000Z'],
    ['january', '2031-01-31T12:00:00.000Z'],
  ]);
});
