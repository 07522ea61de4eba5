import { createApiKey, narrowApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { lastUseOf } from '../../support/rows/usage.ts';

withTestTable();

const input = { name: 'web app', permissions: ['prompts'] } as const;

test('a change of a key that was revoked meanwhile is refused', async () => {
  const { record } = await createApiKey(table, changeAt(), input);
  const revokedMeanwhile = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand') await revokeApiKey(table, changeAt(), record.keyId);
  });
  await expect(narrowApiKey(revokedMeanwhile, changeAt(), record.keyId, { name: 'x' })).rejects.toMatchObject(
    { code: 'changed_meanwhile' },
  );
});

test('the last use of a key only moves forward', async () => {
  for (const hour of ['10', '12', '11']) {
    await keepLastUse(table, 'used0001', `2031-05-05T${hour}:00:00.000Z`);
  }
  expect(await lastUseOf(table, 'used0001')).toBe('2031-05-05T12:00:00.000Z');
  expect(await lastUseOf(table, 'unused01')).toBeUndefined();
});
