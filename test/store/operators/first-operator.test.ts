import { randomUUID } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { addFirstOperator } from '../../../lambdas/store/operators/changes.ts';
import { findOperator, writeOperator } from '../../../lambdas/store/operators/operators.ts';
import { mockClient } from '../../support/aws/mock-client.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const PENDING = 'FORCE_CHANGE_PASSWORD';
const cognito = mockClient(CognitoIdentityProviderClient);
const client = new CognitoIdentityProviderClient({ region: 'eu-west-1' });
const newAddress = () => `${uniqueName('first')}@example.com`;

beforeEach(() => {
  cognito.reset();
  cognito.on(ListUsersCommand).resolves({ Users: [] });
  cognito.on(AdminEnableUserCommand).resolves({});
});

const add = (email: string) =>
  addFirstOperator({ table: instance.table, pool: { client, userPoolId: 'pool' } }, changeAt(), email);

/** What Cognito answers about a new user. */
const willCreate = () => {
  const Username = randomUUID();
  const user = { Username, Enabled: true, UserStatus: PENDING } as const;
  cognito.on(AdminCreateUserCommand).resolves({ User: user });
  cognito.on(AdminGetUserCommand).resolves(user);
  return Username;
};

/** An administrator with a record, and with a user of this status. */
const anAdministrator = async (UserStatus: 'CONFIRMED' | typeof PENDING) => {
  const Username = randomUUID();
  const email = newAddress();
  const invited = { invitedAt: '2026-01-01T00:00:00.000Z', invitedBy: 'test' };
  const next = { operatorId: Username, email, group: 'admin', status: 'active', identity: 'native' } as const;
  const entry = { action: 'operator.invite' };
  await writeOperator(instance.table, changeAt(), undefined, { ...next, ...invited }, entry);
  cognito.on(ListUsersCommand).resolves({ Users: [{ Username, Enabled: true, UserStatus }] });
  return { Username, email };
};

test('gets a random temporary password, and a record that makes them an administrator', async () => {
  const email = newAddress();
  const id = willCreate();
  expect(await add(email)).toBe(true);
  const [{ TemporaryPassword = '', ...input } = {}] = cognito
    .commandCalls(AdminCreateUserCommand)
    .map(({ args: [sent] }) => sent.input);
  expect(input).toMatchObject({ UserPoolId: 'pool', Username: email, DesiredDeliveryMediums: ['EMAIL'] });
  expect(TemporaryPassword).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{28}$/);
  expect(await findOperator(instance.table, id)).toMatchObject({ email, group: 'admin', status: 'active' });
});

test('is still invited if another administrator never signed in, as after a mistyped address', async () => {
  await anAdministrator(PENDING);
  willCreate();
  expect(await add(newAddress())).toBe(true);
});

test('is not invited once an administrator has signed in', async () => {
  await anAdministrator('CONFIRMED');
  expect(await add(newAddress())).toBe(false);
  expect(cognito.commandCalls(AdminCreateUserCommand)).toEqual([]);
});

test('keeps the password if they were invited before', async () => {
  const { Username, email } = await anAdministrator(PENDING);
  const exists = new UsernameExistsException({ message: 'exists', $metadata: {} });
  cognito.on(AdminCreateUserCommand).rejects(exists);
  cognito.on(AdminGetUserCommand).resolves({ Username, Enabled: true, UserStatus: PENDING });
  expect(await add(email)).toBe(true);
  expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toEqual([]);
});

test('has no record if Cognito fails, and the function fails, so that its alarm reports it', async () => {
  cognito.on(AdminCreateUserCommand).rejects(new Error('no mail'));
  await expect(add(newAddress())).rejects.toThrow('no mail');
});
