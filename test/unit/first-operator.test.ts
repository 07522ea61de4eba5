import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { mockClient } from '../support/aws/mock-client.ts';

process.env.CUEVAULT_USER_POOL = 'eu-west-1_pool';
process.env.CUEVAULT_OPERATOR_EMAIL = 'ada@example.com';
process.env.AWS_REGION = 'eu-west-1';

const { handler } = await import('../../lambdas/triggers/first-operator.ts');

const cognito = mockClient(CognitoIdentityProviderClient);
const administrators = (...statuses: ('CONFIRMED' | 'FORCE_CHANGE_PASSWORD')[]) =>
  cognito.on(ListUsersInGroupCommand).resolves({
    Users: statuses.map((UserStatus) => ({ UserStatus })),
  });

beforeEach(() => {
  cognito.reset();
  cognito.on(AdminCreateUserCommand).resolves({});
  cognito.on(AdminAddUserToGroupCommand).resolves({});
  lines.splice(0);
});

const lines: string[] = [];
const { write } = process.stdout;
beforeAll(() => {
  process.stdout.write = (line: unknown) => lines.push(String(line)) > 0;
});
afterAll(() => {
  process.stdout.write = write;
});

const created = () => cognito.commandCalls(AdminCreateUserCommand).map(({ args: [{ input }] }) => input);
const joined = () => cognito.commandCalls(AdminAddUserToGroupCommand).map(({ args: [{ input }] }) => input);

test('is created with a random temporary password, and becomes an administrator', async () => {
  administrators();
  await handler();
  await handler();
  const [first, second] = created();
  expect(first).toMatchObject({
    UserPoolId: 'eu-west-1_pool',
    Username: 'ada@example.com',
    DesiredDeliveryMediums: ['EMAIL'],
    UserAttributes: [
      { Name: 'email', Value: 'ada@example.com' },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  expect(first?.TemporaryPassword).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{28}$/);
  expect(first?.TemporaryPassword).not.toBe(second?.TemporaryPassword);
  expect(joined()[0]).toEqual({
    UserPoolId: 'eu-west-1_pool',
    Username: 'ada@example.com',
    GroupName: 'admin',
  });
});

test('is still invited if another administrator never signed in, as after a mistyped address', async () => {
  administrators('FORCE_CHANGE_PASSWORD');
  await handler();
  expect(created()).toHaveLength(1);
});

test('is not invited once an administrator has signed in', async () => {
  administrators('FORCE_CHANGE_PASSWORD', 'CONFIRMED');
  await handler();
  expect(created()).toEqual([]);
  expect(joined()).toEqual([]);
});

test('a user who exists keeps their password and becomes an administrator', async () => {
  administrators();
  cognito
    .on(AdminCreateUserCommand)
    .rejects(new UsernameExistsException({ message: 'exists', $metadata: {} }));
  await handler();
  expect(joined()).toHaveLength(1);
});

test('a failure of Cognito fails the function, so that its alarm reports it', async () => {
  administrators();
  cognito.on(AdminCreateUserCommand).rejects(new Error('no mail'));
  await expect(handler()).rejects.toThrow('no mail');
});

test('neither the address nor the password reaches the log', async () => {
  administrators();
  await handler();
  const text = lines.join('');
  expect(text).toContain('first operator checked');
  expect(text).not.toContain('ada@example.com');
  expect(text).not.toContain(String(created()[0]?.TemporaryPassword));
});
