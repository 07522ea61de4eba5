import { ask, refused } from '../../support/admin.ts';
import { operatorIdOf, tokenWith } from '../../support/operators.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('tells operators who they are as the table says, whatever groups or address the token claims', async () => {
  const operatorId = await operatorIdOf(instance, ['viewer']);
  const claims = { username: operatorId, email: 'eve@example.com', 'cognito:groups': ['admin'] };
  const token = await tokenWith(instance, claims);
  const expected = { operatorId, email: 'viewer@example.com', group: 'viewer' };
  expect(await ask(instance, 'session-get', { token })).toEqual(expected);
});

test('a user whom nobody has invited is no operator', async () => {
  const { id: username } = await instance.addOperator({ email: 'user@example.com', password: 'x' });
  const token = await tokenWith(instance, { username, 'cognito:groups': ['admin'] });
  expect(await refused(instance, 'session-get', 'forbidden', { token })).toContain('invite');
});
