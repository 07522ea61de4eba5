import {
  AdminCreateUserCommand,
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
import { COMPANY_PROVIDER } from '../../../local/aws/account.ts';
import { mockClient } from '../../support/aws/mock-client.ts';
import { changesOf } from '../../support/rows/audit.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { uniqueName } from '../../support/unique-name.ts';

withTestTable();

// People of a company are no users that the pool is asked about.
const client = new CognitoIdentityProviderClient({ region: 'eu-west-1' });
const pool = { client, userPoolId: 'pool' };
const cognito = mockClient(CognitoIdentityProviderClient)
  .on(ListUsersCommand)
  .resolves({ Users: [] })
  .on(AdminGetUserCommand)
  .rejects(new UserNotFoundException({ message: '', $metadata: {} }))
  .on(AdminCreateUserCommand)
  .callsFake(() => ({ User: { Username: uniqueName('user') } }));
const stores = () => ({ table, pool });
const NOW = new Date();
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const call = (at = NOW) => ({ at, requestId: 'request' });

const newAddress = () => `${uniqueName('ada').toLowerCase()}@example.com`;
const person = (email: string, rest: Partial<Person> = {}): Person => ({
  ...COMPANY_PROVIDER,
  userId: uniqueName('U'),
  email,
  isVerified: true,
  ...rest,
});

const invited = async (email = newAddress()) => {
  const { operators } = await inviteOperators(stores(), changeAt(), [email], 'editor', 'company');
  return { email, operatorId: operators[0]?.operatorId ?? '' };
};

test('the first sign-in takes the invitation, once, also if the user pool asks several times at once', async () => {
  const { email, operatorId } = await invited();
  const ada = person(email.toUpperCase());
  const found = await Promise.all([1, 2, 3].map(() => operatorOf(table, ada, call())));
  for (const operator of found)
    expect(operator).toMatchObject({ operatorId, email, status: 'active', userId: ada.userId });
  expect(await openInvitation(table, email, NOW)).toBeUndefined();
  const entries = await changesOf(email, { table });
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

test('an address that is not verified takes nothing, and asks until an administrator confirms one person', async () => {
  const { email, operatorId } = await invited();
  const [ada, eve] = [person(email, { isVerified: false }), person(email, { isVerified: false })];
  for (const each of [ada, eve, ada]) expect(await operatorOf(table, each, call())).toBeUndefined();
  const listed = async (at = NOW) =>
    (await listOperators(stores(), at)).find((each) => each.operatorId === operatorId);
  const { status, requests = [] } = (await listed()) ?? {};
  expect([status, requests.map(({ userId }) => userId)]).toEqual(['invited', [ada.userId, eve.userId]]);
  expect((await listed(later(15)))?.requests).toBeUndefined();
  const confirm = (requestId = '') =>
    updateOperator(stores(), changeAt(), operatorId, { confirm: requestId });
  await expectRefused(confirm('unknown'), 'invalid_request');
  expect(await confirm(requests[0]?.requestId)).toMatchObject({ status: 'invited', userId: ada.userId });
  for (const each of [eve, person(email), { ...ada, provider: 'Company-other' }])
    expect(await operatorOf(table, each, call())).toBeUndefined();
  expect(await operatorOf(table, ada, call())).toMatchObject({ operatorId, status: 'active' });
  expect(await operatorOf(table, eve, call())).toBeUndefined();
});

test('at most 20 people ask for an invitation', async () => {
  const { email, operatorId } = await invited();
  for (let i = 0; i < 22; i++) await operatorOf(table, person(email, { isVerified: false }), call());
  const listed = await listOperators(stores(), NOW);
  expect(listed.find((each) => each.operatorId === operatorId)?.requests).toHaveLength(20);
});

test('an invitation ends after 14 days, and can be renewed', async () => {
  const { email, operatorId } = await invited();
  expect(await openInvitation(table, email, later(13))).toMatchObject({ operatorId });
  expect(await operatorOf(table, person(email), call(later(15)))).toBeUndefined();
  expect((await listOperators(stores(), later(15))).find((each) => each.email === email)?.status).toBe(
    'expired',
  );
  const renewed = { ...changeAt(), at: later(15) };
  await updateOperator(stores(), renewed, operatorId, { enabled: true });
  expect(await operatorOf(table, person(email), call(later(16)))).toMatchObject({ operatorId });
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

test('an address has one invitation, also if eight are made at once; whoever is removed needs another, which makes another operator', async () => {
  const email = newAddress();
  const codes = await Promise.all(
    Array.from({ length: 8 }, () =>
      invited(email).then(
        () => 'invited',
        ({ code }) => code,
      ),
    ),
  );
  expect(codes.toSorted()).toEqual(['invited', ...Array(7).fill('operator_exists')]);
  const ada = person(email);
  for (const remove of [
    (operatorId: string) => updateOperator(stores(), changeAt(), operatorId, { remove: true }),
    () => removeByAddress(stores(), changeAt(), email),
  ]) {
    const { operatorId = '' } = (await operatorOf(table, ada, call())) ?? {};
    await remove(operatorId);
    expect(await operatorOf(table, ada, call())).toBeUndefined();
    expect((await listOperators(stores(), NOW)).filter((each) => each.email === email)).toEqual([]);
    const again = await invited(email);
    expect(again.operatorId).not.toBe(operatorId);
    expect(await operatorOf(table, ada, call())).toMatchObject({ operatorId: again.operatorId });
  }
});

test.each(['\u212a', '\uff4b'])(
  'an address that only looks the same takes no invitation: %j',
  async (letter) => {
    const { email } = await invited(`k${newAddress()}`);
    expect(await operatorOf(table, person(email.replace('k', letter)), call())).toBeUndefined();
    expect(await openInvitation(table, email, NOW)).toBeDefined();
  },
);

test('nobody gets the address of another operator by being renamed', async () => {
  const [ada, eve] = [await invited(), await invited()];
  await operatorOf(table, person(ada.email), call());
  const other = person(eve.email);
  await operatorOf(table, other, call());
  const renamed = { ...other, email: ada.email };
  for (let i = 0; i < 2; i++)
    expect(await operatorOf(table, renamed, call())).toMatchObject({ email: eve.email });
  expect(await listOperators(stores(), NOW)).toContainEqual(
    expect.objectContaining({ email: eve.email, refusedEmail: ada.email }),
  );
  const actions = (await changesOf(eve.email, { table })).map(({ action }) => action);
  expect(actions.filter((action) => action === 'operator.refuse-address')).toHaveLength(1);
});

test.each([{ issuer: 'https://other.example' }, { clientId: 'other' }, { userId: 'ada' }])(
  'somebody of another issuer or client, or with an id that differs in case, is somebody else: %j',
  async (other) => {
    const { email, operatorId } = await invited();
    const ada = person(email);
    expect(await operatorOf(table, ada, call())).toMatchObject({ operatorId });
    expect(await operatorOf(table, { ...ada, ...other }, call())).toBeUndefined();
  },
);

test('an address has one operator, however they sign in; an expired invitation frees it', async () => {
  const { email, operatorId } = await invited();
  const invite = (at: Date) =>
    inviteOperators(stores(), { ...changeAt(), at }, [email], 'viewer', 'password');
  await expectRefused(invite(NOW), 'operator_exists');
  expect(cognito.commandCalls(AdminCreateUserCommand)).toEqual([]);
  await invite(later(15));
  await expectRefused(
    updateOperator(stores(), changeAt(), operatorId, { enabled: true }),
    'operator_not_found',
  );
  const listed = await listOperators(stores(), later(15));
  expect(listed.filter((each) => each.email === email)).toMatchObject([{ signIn: 'password' }]);
});
