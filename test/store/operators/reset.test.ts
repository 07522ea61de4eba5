import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
} from '@aws-sdk/client-cognito-identity-provider';
import { resetByAddress } from '../../../lambdas/store/operators/changes.ts';
import { mockClient } from '../../support/aws/mock-client.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const cognito = mockClient(CognitoIdentityProviderClient);
const client = new CognitoIdentityProviderClient({ region: 'eu-west-1' });
const user = { Username: 'ada', Enabled: true, UserStatus: 'CONFIRMED' } as const;

beforeEach(() => {
  cognito.reset();
  cognito.onAnyCommand().resolves({});
  cognito.on(AdminGetUserCommand).resolves(user);
});

const reset = () =>
  resetByAddress(
    { table: instance.table, pool: { client, userPoolId: 'pool' } },
    changeAt(),
    'ada@example.com',
    true,
  );

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
