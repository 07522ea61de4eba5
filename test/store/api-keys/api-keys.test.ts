import { parseApiKey } from '../../../lambdas/core/api-keys/api-keys.ts';
import { monthOf } from '../../../lambdas/core/days.ts';
import { findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import {
  allApiKeys,
  createApiKey,
  narrowApiKey,
  revokeApiKey,
} from '../../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse, lastUseOf } from '../../../lambdas/store/api-keys/uses.ts';
import { changesBefore } from '../../../lambdas/store/audit-log.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { changeAt, openTestTable, type TestTable } from '../../support/rows/table.ts';

let opened: TestTable;
beforeAll(async () => {
  opened = await openTestTable();
});
afterAll(() => opened.stop());

const input = { name: 'web app', permissions: ['prompts'] } as const;

test('a key is stored as its hash and rules, never as the key', async () => {
  const { table } = opened;
  const { apiKey, record } = await createApiKey(table, changeAt(), {
    ...input,
    tags: ['web', 'web'],
    cidrs: ['10.0.0.0/8'],
  });
  expect(parseApiKey(apiKey)).toEqual({ keyId: record.keyId });
  const found = await findApiKey(table, record.keyId);
  expect(found).toEqual(record);
  expect(found?.tags).toEqual(['web']);
  expect(JSON.stringify(found)).not.toContain(apiKey.slice(13));
});

test('creating and revoking write audit entries without the key', async () => {
  const { table } = opened;
  const at = new Date('2031-03-01T00:00:00Z');
  const { apiKey, record } = await createApiKey(table, changeAt(at), input);
  await revokeApiKey(table, changeAt(at), record.keyId);
  const items = await Array.fromAsync(changesBefore(table, monthOf(at), '~'));
  expect(items.map(({ action, actor, subject }) => [action, actor, subject]).sort()).toEqual([
    ['api-key.create', 'operator@example.com', record.keyId],
    ['api-key.revoke', 'operator@example.com', record.keyId],
  ]);
  expect(JSON.stringify(items)).not.toContain(apiKey.slice(13));
});

test('a revoked key keeps its first revocation time, and revoking it again writes nothing', async () => {
  const { table } = opened;
  const { record } = await createApiKey(table, changeAt(), input);
  const first = await revokeApiKey(table, changeAt(new Date('2031-01-01T00:00:00Z')), record.keyId);
  const again = await revokeApiKey(table, changeAt(new Date('2031-02-02T00:00:00Z')), record.keyId);
  expect(again.revokedAt).toBe(first.revokedAt);
  expect(await Array.fromAsync(changesBefore(table, '2031-02', '~'))).toEqual([]);
});

test('of 20 concurrent revocations of one key, one succeeds and the others do not fail', async () => {
  const { table } = opened;
  const { record } = await createApiKey(table, changeAt(), input);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => revokeApiKey(table, changeAt(), record.keyId)),
  );
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.code] : [],
  );
  expect(new Set(failures).difference(new Set(['changed_meanwhile']))).toEqual(new Set());
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
});

test('a change of a key that was revoked meanwhile is refused', async () => {
  const { table } = opened;
  const { record } = await createApiKey(table, changeAt(), input);
  const revokedMeanwhile = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand') await revokeApiKey(table, changeAt(), record.keyId);
  });
  await expect(narrowApiKey(revokedMeanwhile, changeAt(), record.keyId, { name: 'x' })).rejects.toMatchObject(
    { code: 'changed_meanwhile' },
  );
});

test('an unknown key cannot be revoked', async () => {
  await expect(revokeApiKey(opened.table, changeAt(), 'AAAAAAAA')).rejects.toMatchObject({
    code: 'api_key_not_found',
  });
});

test.each([
  [{ ...input, name: ' ' }, /"name"/],
  [{ ...input, cidrs: ['10.0.0.0/33'] }, /"10\.0\.0\.0\/33" is not an address range/],
  [{ ...input, expiresAt: '2001-01-01T00:00:00Z' }, /"expiresAt"/],
])('a key cannot be created from %j', async (wrong, sentence) => {
  await expect(createApiKey(opened.table, changeAt(), wrong as never)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(sentence),
  });
});

test('keys are listed newest first', async () => {
  const { table } = await opened;
  for (const day of ['01', '02', '03']) {
    await createApiKey(table, changeAt(new Date(`2040-01-${day}T00:00:00Z`)), { ...input, name: day });
  }
  const [first, second, third] = await allApiKeys(table);
  expect([first?.name, second?.name, third?.name]).toEqual(['03', '02', '01']);
});

test('the last use of a key only moves forward', async () => {
  const { table } = opened;
  for (const hour of ['10', '12', '11']) {
    await keepLastUse(table, 'used0001', `2031-05-05T${hour}:00:00.000Z`);
  }
  expect(await lastUseOf(table, 'used0001')).toBe('2031-05-05T12:00:00.000Z');
  expect(await lastUseOf(table, 'unused01')).toBeUndefined();
});
