import { randomUUID } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  ListUsersCommand,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { addFirstOperator, resetByAddress } from '../../../lambdas/store/operators/changes.ts';
import { findOperator, writeOperator } from '../../../lambdas/store/operators/operators.ts';
import { mockClient } from '../../support/aws/mock-client.ts';
import { PASSWORD } from '../../support/operators.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { uniqueName } from '../../support/unique-name.ts';

withTestTable();

const PENDING = 'FORCE_CHANGE_PASSWORD';
const cognito = mockClient(CognitoIdentityProviderClient);
const pool = { client: new CognitoIdentityProviderClient({ region: 'eu-west-1' }), userPoolId: 'pool' };
const newAddress = () => `${uniqueName('first')}@example.com`;

beforeEach(() => {
  cognito.reset();
  cognito.on(ListUsersCommand).resolves({ Users: [] });
  cognito.on(AdminEnableUserCommand).resolves({});
});

const add = (email: string) => addFirstOperator({ table, pool }, changeAt(), email);

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
  await writeOperator(table, changeAt(), undefined, { ...next, ...invited }, entry);
  cognito.on(ListUsersCommand).resolves({ Users: [{ Username, Enabled: true, UserStatus }] });
  return { Username, email };
};

describe('the first operator', () => {
  test('gets a random temporary password, and a record that makes them an administrator', async () => {
    const email = newAddress();
    const id = willCreate();
    expect(await add(email)).toBe(true);
    const [{ TemporaryPassword = '', ...input } = {}] = cognito
      .commandCalls(AdminCreateUserCommand)
      .map(({ args: [sent] }) => sent.input);
    expect(input).toMatchObject({ UserPoolId: 'pool', Username: email, DesiredDeliveryMediums: ['EMAIL'] });
    expect(TemporaryPassword).toMatch(PASSWORD);
    expect(await findOperator(table, id)).toMatchObject({ email, group: 'admin', status: 'active' });
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
});

describe('a reset', () => {
  const reset = () => resetByAddress({ table, pool }, changeAt(), 'ada@example.com', true);
  beforeEach(() => {
    cognito.reset();
    cognito.onAnyCommand().resolves({});
    const user = { Username: 'ada', Enabled: true, UserStatus: 'CONFIRMED' } as const;
    cognito.on(AdminGetUserCommand).resolves(user);
  });

  test('turns off both second factors in one call, before it replaces the password', async () => {
    await reset();
    const [factors, password] = cognito
      .calls()
      .map(({ args: [command] }) => command)
      .filter((command) => command.constructor.name.startsWith('AdminSetUser'));
    expect(factors).toBeInstanceOf(AdminSetUserMFAPreferenceCommand);
    const off = { Enabled: false };
    expect(factors?.input).toMatchObject({ SoftwareTokenMfaSettings: off, WebAuthnMfaSettings: off });
    expect(password).toBeInstanceOf(AdminSetUserPasswordCommand);
  });

  test('replaces no password if Cognito refuses that, and does not blame the address', async () => {
    const refusal = new InvalidParameterException({ message: 'no', $metadata: {} });
    cognito.on(AdminSetUserMFAPreferenceCommand).rejects(refusal);
    await expect(reset()).rejects.not.toMatchObject({ code: 'invalid_request' });
    expect(cognito.commandCalls(AdminSetUserPasswordCommand)).toEqual([]);
    expect(cognito.commandCalls(AdminCreateUserCommand)).toEqual([]);
  });
});
