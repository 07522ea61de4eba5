import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  inviteOperators,
  listOperators,
  removeByAddress,
  updateOperator,
} from '../../../lambdas/store/operators/changes.ts';
import { openInvitation, operatorOf, type Person } from '../../../lambdas/store/operators/people.ts';
import { mockClient } from '../../support/aws/mock-client.ts';
import { changesOf } from '../../support/rows/audit.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { uniqueName } from '../../support/unique-name.ts';

withTestTable();

// People of a company are no users that the pool is asked about.
const client = new CognitoIdentityProviderClient({ region: 'eu-west-1' });
const pool = { client, userPoolId: 'pool' };
mockClient(CognitoIdentityProviderClient)
  .on(ListUsersCommand)
  .resolves({ Users: [] })
  .on(AdminGetUserCommand)
  .rejects(new UserNotFoundException({ message: '', $metadata: {} }));
const stores = () => ({ table, pool });
const NOW = new Date();
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const call = (at = NOW) => ({ at, requestId: 'request' });

const newAddress = () => `${uniqueName('ada').toLowerCase()}@example.com`;
const person = (email: string, rest: Partial<Person> = {}): Person => ({
  provider: 'Company',
  userId: uniqueName('U'),
  email,
  isVerified: true,
  ...rest,
});

const invited = async (email = newAddress()) => {
  const { operators } = await inviteOperators(stores(), changeAt(), [email], 'editor', 'company');
  return { email, operatorId: operators[0]?.operatorId ?? '' };
};

const change = (operatorId: string) => updateOperator(stores(), changeAt(), operatorId, { enabled: true });

test('the first sign-in takes the invitation, once, also if the user pool asks several times at once', async () => {
  const { email, operatorId } = await invited();
  const ada = person(email.toUpperCase());
  const found = await Promise.all([1, 2, 3].map(() => operatorOf(table, ada, call())));
  for (const operator of found)
    expect(operator).toMatchObject({ operatorId, email, status: 'active', userId: ada.userId });
  expect(await openInvitation(table, email, NOW)).toBeUndefined();
  const entries = await changesOf({ table }, email);
  const accepted = entries.filter(({ action }) => action === 'operator.accept');
  expect(accepted.map(({ actorId }) => actorId)).toEqual([operatorId]);
});

test('a renamed person stays the same operator, and whoever gets the former address is nobody until invited', async () => {
  const { email, operatorId } = await invited();
  const ada = person(email);
  await operatorOf(table, ada, call());
  const next = newAddress();
  expect(await operatorOf(table, { ...ada, email: next }, call())).toMatchObject({ operatorId, email: next });
  // Neither an address that is not verified nor one with hidden characters is taken over.
  for (const rest of [{ email: newAddress(), isVerified: false }, { email: `\u202e${email}` }])
    expect(await operatorOf(table, { ...ada, ...rest }, call())).toMatchObject({ operatorId, email: next });
  const other = person(email);
  expect(await operatorOf(table, other, call())).toBeUndefined();
  const again = await invited(email);
  expect(await operatorOf(table, other, call())).toMatchObject({ operatorId: again.operatorId, email });
  expect(again.operatorId).not.toBe(operatorId);
});

test('ids that differ in case are two people', async () => {
  const { email, operatorId } = await invited();
  expect(await operatorOf(table, person(email, { userId: 'Ada' }), call())).toMatchObject({ operatorId });
  expect(await operatorOf(table, person(email, { userId: 'ada' }), call())).toBeUndefined();
});

test('with an address that is not verified, a person waits until an administrator confirms them', async () => {
  const { email, operatorId } = await invited();
  const ada = person(email, { isVerified: false });
  for (let i = 0; i < 2; i++)
    expect(await operatorOf(table, ada, call())).toMatchObject({ operatorId, status: 'unconfirmed' });
  const listed = await listOperators(stores(), NOW);
  expect(listed).toContainEqual(
    expect.objectContaining({ operatorId, status: 'unconfirmed', signIn: 'company', userId: ada.userId }),
  );
  // Neither disabling nor enabling confirms anybody.
  await updateOperator(stores(), changeAt(), operatorId, { enabled: false });
  expect(await change(operatorId)).toMatchObject({ status: 'unconfirmed' });
  expect(await change(operatorId)).toMatchObject({ status: 'active' });
  await updateOperator(stores(), changeAt(), operatorId, { enabled: false });
  expect(await change(operatorId)).toMatchObject({ status: 'active' });
  const actions = (await changesOf({ table }, email)).map(({ action }) => action);
  expect(actions).toContain('operator.confirm');
});

test('an invitation ends after 14 days, can be renewed, and a second one of the address is refused', async () => {
  const { email, operatorId } = await invited();
  await expect(invited(email)).rejects.toMatchObject({ code: 'operator_exists' });
  expect(await openInvitation(table, email, later(13))).toMatchObject({ operatorId });
  expect(await operatorOf(table, person(email), call(later(15)))).toBeUndefined();
  expect((await listOperators(stores(), later(15))).find((each) => each.email === email)?.status).toBe(
    'expired',
  );
  const renewed = { ...changeAt(), at: later(15) };
  await updateOperator(stores(), renewed, operatorId, { enabled: true });
  expect(await operatorOf(table, person(email), call(later(16)))).toMatchObject({ operatorId });
});

test('a removed person needs another invitation, which makes another operator', async () => {
  const { email, operatorId } = await invited();
  const ada = person(email);
  await operatorOf(table, ada, call());
  await removeByAddress(stores(), changeAt(), email);
  expect(await operatorOf(table, ada, call())).toBeUndefined();
  const again = await invited(email);
  expect(again.operatorId).not.toBe(operatorId);
  expect(await operatorOf(table, ada, call())).toMatchObject({ operatorId: again.operatorId });
});

test('of a list of addresses, those who are operators already are named, and the others invited', async () => {
  const { email } = await invited();
  const other = newAddress();
  const list = [email, other, other];
  const { operators, existing } = await inviteOperators(stores(), changeAt(), list, 'viewer', 'company');
  expect([operators.map((each) => [each.email, each.status]), existing]).toEqual([
    [[other, 'invited']],
    [email],
  ]);
});
