import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
  InvalidParameterException,
  paginateListUsers,
  UserNotFoundException,
  UsernameExistsException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { CuevaultError } from '../../core/errors.ts';

/** The user pool of a deployment. The functions here throw the errors of Cognito, and
 * `invalid_request` for an address that it does not accept. */
export interface UserPool {
  readonly client: CognitoIdentityProviderClient;
  readonly userPoolId: string;
}

/** Someone who can sign in. What they may do is in the record of the operator. */
export interface User {
  /** Cognito's user name. */
  readonly operatorId: string;
  readonly enabled: boolean;
  /** Whether they have a temporary password and have not signed in with it. */
  readonly isPending: boolean;
}

/** A random password of 144 bits that the pool's policy accepts. */
const temporaryPassword = () => `${randomBytes(18).toString('base64url')}aA1!`;

const nameIn = ({ userPoolId }: UserPool, name: string) => ({ UserPoolId: userPoolId, Username: name });

type CognitoUser = Pick<UserType, 'Username' | 'Enabled' | 'UserStatus'>;

const userOf = ({ Username = '', Enabled = true, UserStatus }: CognitoUser): User => ({
  operatorId: Username,
  enabled: Enabled,
  isPending: UserStatus === 'FORCE_CHANGE_PASSWORD',
});

const unlessUnknown = (error: unknown): undefined => {
  if (!(error instanceof UserNotFoundException)) throw error;
};

/** The user with this name or e-mail address, if there is one. */
export const findUser = async (pool: UserPool, name: string): Promise<User | undefined> => {
  const found = await pool.client.send(new AdminGetUserCommand(nameIn(pool, name))).catch(unlessUnknown);
  return found && userOf(found);
};

/** All users by name. The number of calls depends on the pages, not on the users. */
export const usersOf = async (pool: UserPool): Promise<ReadonlyMap<string, User>> => {
  const users: User[] = [];
  for await (const { Users = [] } of paginateListUsers(pool, { UserPoolId: pool.userPoolId }))
    users.push(...Users.map(userOf));
  return new Map(users.map((user) => [user.operatorId, user]));
};

/**
 * Creates a user; Cognito mails them the temporary password. The password is generated here because Cognito may create a
 * user without one if passwordless sign-in is enabled. Returns the user, and whether there was none with this address.
 */
export const createUser = async (pool: UserPool, email: string) => {
  const create = new AdminCreateUserCommand({
    ...nameIn(pool, email),
    TemporaryPassword: temporaryPassword(),
    DesiredDeliveryMediums: ['EMAIL'],
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ],
  });
  try {
    const { User: created = {} } = await pool.client.send(create);
    return { user: userOf(created), isNew: true };
  } catch (error) {
    if (error instanceof InvalidParameterException)
      throw new CuevaultError('invalid_request', 'Cognito does not accept this e-mail address.', {
        cause: error,
      });
    const user = error instanceof UsernameExistsException ? await findUser(pool, email) : undefined;
    if (user === undefined) throw error;
    return { user, isNew: false };
  }
};

/** Lets a user sign in again. */
export const enableUser = async (pool: UserPool, name: string): Promise<void> => {
  await pool.client.send(new AdminEnableUserCommand(nameIn(pool, name)));
};

/** Keeps a user, if they exist, from signing in, and ends their sessions. */
export const disableUser = async (pool: UserPool, name: string): Promise<void> => {
  await pool.client.send(new AdminDisableUserCommand(nameIn(pool, name))).catch(unlessUnknown);
  await pool.client.send(new AdminUserGlobalSignOutCommand(nameIn(pool, name))).catch(unlessUnknown);
};

export const deleteUser = async (pool: UserPool, name: string): Promise<void> => {
  await pool.client.send(new AdminDeleteUserCommand(nameIn(pool, name)));
};

/**
 * Replaces a user's password with a temporary one, turns off their second factors and ends their sessions. The password
 * is mailed; with `print` it is returned instead.
 */
export const resetSignIn = async (pool: UserPool, { operatorId, isPending }: User, print = false) => {
  const password = temporaryPassword();
  const user = nameIn(pool, operatorId);
  if (!isPending) {
    // Both in one call: Cognito refuses to leave a passkey without a code. And before the password: what is refused here
    // must not leave somebody with a new password and the old factor.
    const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false };
    const WebAuthnMfaSettings = { Enabled: false };
    await pool.client.send(
      new AdminSetUserMFAPreferenceCommand({ ...user, SoftwareTokenMfaSettings, WebAuthnMfaSettings }),
    );
  }
  await pool.client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: false }));
  if (!isPending) await pool.client.send(new AdminUserGlobalSignOutCommand(user));
  if (print) return password;
  await pool.client.send(
    new AdminCreateUserCommand({
      ...user,
      MessageAction: 'RESEND',
      TemporaryPassword: password,
      DesiredDeliveryMediums: ['EMAIL'],
    }),
  );
  return undefined;
};
