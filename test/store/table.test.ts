import { queryPage } from '../../lambdas/store/pages.ts';
import { queryItems } from '../../lambdas/store/queries.ts';
import { putItem } from '../../lambdas/store/table.ts';
import { intercepted } from '../support/aws/intercept.ts';
import { expectRefused, table, withTestTable } from '../support/rows/table.ts';

withTestTable();

const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'Q' } };

test('a query continues across page limits, and a cursor continues where the page ended', async () => {
  for (let i = 0; i < 12; i++)
    await putItem(table, { pk: 'Q', sk: String(i).padStart(3, '0'), filler: 'x'.repeat(200_000) });
  expect((await Array.fromAsync(queryItems(table, query))).length).toBe(12);
  const first = await queryPage(table, query, 2);
  const second = await queryPage(table, query, 2, first.cursor);
  expect([...first.items, ...second.items].map(({ sk }) => sk)).toEqual(['000', '001', '002', '003']);
});

test('a cursor of another list is rejected', async () => {
  await putItem(table, { pk: 'T', sk: 'taken' });
  const other = await queryPage(table, { ...query, ExpressionAttributeValues: { ':pk': 'T' } }, 1);
  const forged = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  const keys = [{ pk: 'T', sk: 'taken' }, { pk: 'Q' }, { pk: 'Q', sk: 1 }, { pk: 'Q', sk: '' }];
  const cursors = [...keys, { pk: 'Q', sk: '000', more: { a: 1 } }].map(forged);
  for (const cursor of ['junk', '', 'bnVsbA', ...cursors, ...[other.cursor ?? []].flat()])
    await expectRefused(queryPage(table, query, 2, cursor), 'invalid_request');
});

test('a cursor that DynamoDB rejects is reported as an invalid cursor', async () => {
  const refusing = intercepted(table, () =>
    Promise.reject(Object.assign(new Error('outside query boundaries'), { name: 'ValidationException' })),
  );
  const cursor = Buffer.from(JSON.stringify({ pk: 'Q', sk: '000' })).toString('base64url');
  await expectRefused(queryPage(refusing, query, 2, cursor), 'invalid_request');
  await expect(queryPage(refusing, query, 2)).rejects.toMatchObject({ name: 'ValidationException' });
});
