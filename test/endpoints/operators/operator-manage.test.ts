import { findOperator } from '../../../lambdas/store/operators/operators.ts';
import { ask, refused } from '../../support/admin.ts';
import { tokenWith } from '../../support/operators.ts';
import { changesOf } from '../../support/rows/audit.ts';
import { anOperator } from '../../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { signIn } from '../../support/sign-in.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const ARN = 'arn:aws:sts::1:assumed-role/Admin/ada';

const manage = async (input: object) => {
  const outcome = await instance.invoke('operator-manage', { operator: ARN, input });
  return (outcome as { reply?: { res?: Record<string, unknown>; code?: string } }).reply ?? {};
};

const rowOf = async (address: string) =>
  (await ask(instance, 'operators-list')).operators.find(({ email }: { email: string }) => email === address);

test('whoever may invoke the command adds, moves, resets and disables operators, and the log names them', async () => {
  const email = `${uniqueName('managed')}@example.com`;
  await instance.addOperator({ email, password: 'of a user whom nobody has invited' });
  expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true });
  expect((await manage({ do: 'add', email, group: 'admin' })).res).toEqual({ invited: false });
  const { res } = await manage({ do: 'reset', email, print: true });
  expect(await signIn(instance.url, { email, password: String(res?.password) })).toHaveProperty(
    'access_token',
  );
  expect((await manage({ do: 'disable', email })).res).toEqual({});
  expect(await rowOf(email)).toMatchObject({ status: 'disabled' });
  expect((await manage({ do: 'list' })).res?.operators).toContainEqual(await rowOf(email));
  const actions = (await changesOf(instance, email)).map(({ action, actor }) => [action, actor]);
  const verbs = ['disable', 'reset', 'change-group', 'invite'];
  expect(actions).toEqual(verbs.map((verb) => [`operator.${verb}`, ARN]));
});

test('an operator who is removed may do nothing, also after a new invitation of the address', async () => {
  const { email, operatorId } = await anOperator(instance);
  const token = await tokenWith(instance, { username: operatorId });
  expect((await manage({ do: 'remove', email })).res).toEqual({});
  await refused(instance, 'session-get', 'forbidden', { token });
  expect(await rowOf(email)).toBeUndefined();
  expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true });
  await refused(instance, 'session-get', 'forbidden', { token });
  expect(await findOperator(instance.table, operatorId)).toMatchObject({ status: 'removed' });
});

test('an address that nobody has is reported', async () => {
  for (const what of ['disable', 'remove'])
    expect((await manage({ do: what, email: 'nobody@example.org' })).code).toBe('operator_not_found');
});
