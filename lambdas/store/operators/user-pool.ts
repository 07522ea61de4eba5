import { randomBytes } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
  paginateListUsers,
  paginateListUsersInGroup,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../../contract/endpoint.ts';

/** The user pool of a deployment. The functions here throw the errors of Cognito. */
export interface UserPool {
  readonly client: CognitoIdentityProviderClient;
  readonly userPoolId: string;
}

export interface Operator {
  /** Cognito's user name. */
  readonly operatorId: string;
  readonly email: string;
  /** `pending`: has a temporary password and has not signed in with it. */
  readonly status: 'active' | 'pending' | 'disabled';
  /** The highest of the operator's groups. */
  readonly group: Role | null;
}

/** In descending order. */
const GROUPS: readonly Role[] = ['admin', 'editor', 'viewer'];

const TEMPORARY = 'FORCE_CHANGE_PASSWORD';

/** A random password of 144 bits that the pool's policy accepts. */
const temporaryPassword = (): string => `${randomBytes(18).toString('base64url')}aA1!`;

const userOf = ({ userPoolId }: UserPool, name: string) => ({ UserPoolId: userPoolId, Username: name });

interface User {
  readonly Username?: string | undefined;
  readonly Enabled?: boolean | undefined;
  readonly UserStatus?: string | undefined;
}

const operatorOf = (
  { Username = '', Enabled = true, UserStatus }: User,
  attributes: readonly AttributeType[] = [],
  groups: readonly unknown[],
): Operator => ({
  operatorId: Username,
  email: attributes.find(({ Name }) => Name === 'email')?.Value ?? Username,
  status: Enabled ? (UserStatus === TEMPORARY ? 'pending' : 'active') : 'disabled',
  group: GROUPS.find((group) => groups.includes(group)) ?? null,
});

const groupsOf = async (pool: UserPool, name: string): Promise<string[]> => {
  const { Groups = [] } = await pool.client.send(new AdminListGroupsForUserCommand(userOf(pool, name)));
  return Groups.flatMap(({ GroupName }) => GroupName ?? []);
};

const unlessUnknown = (error: unknown): undefined => {
  if (!(error instanceof UserNotFoundException)) throw error;
};

/** The operator with this id or e-mail address, if there is one. */
export const findOperator = async (pool: UserPool, name: string): Promise<Operator | undefined> => {
  const user = await pool.client.send(new AdminGetUserCommand(userOf(pool, name))).catch(unlessUnknown);
  return user && operatorOf(user, user.UserAttributes, await groupsOf(pool, name));
};

const membersOf = async (pool: UserPool, group: Role): Promise<Set<string | undefined>> => {
  const members = new Set<string | undefined>();
  const pages = paginateListUsersInGroup(pool, { UserPoolId: pool.userPoolId, GroupName: group });
  for await (const { Users = [] } of pages) for (const { Username } of Users) members.add(Username);
  return members;
};

/** All operators, by address. The number of calls depends on the pages, not on the operators. */
export const listOperators = async (pool: UserPool): Promise<Operator[]> => {
  const members = await Promise.all(
    GROUPS.map(async (group) => [group, await membersOf(pool, group)] as const),
  );
  const operators: Operator[] = [];
  for await (const { Users = [] } of paginateListUsers(pool, { UserPoolId: pool.userPoolId })) {
    for (const user of Users) {
      const groups = members.filter(([, names]) => names.has(user.Username)).map(([group]) => group);
      operators.push(operatorOf(user, user.Attributes, groups));
    }
  }
  return operators.sort((a, b) => a.email.localeCompare(b.email, 'en'));
};

/**
 * Creates an operator and adds them to the group; Cognito mails them the temporary password. The password is generated
 * here because Cognito may create a user without one if passwordless sign-in is enabled. Returns false if the operator
 * already exists, who is then only added to the group.
 */
export const invite = async (pool: UserPool, email: string, group: Role): Promise<boolean> => {
  let created = true;
  try {
    await pool.client.send(
      new AdminCreateUserCommand({
        ...userOf(pool, email),
        TemporaryPassword: temporaryPassword(),
        DesiredDeliveryMediums: ['EMAIL'],
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    created = false;
  }
  await pool.client.send(new AdminAddUserToGroupCommand({ ...userOf(pool, email), GroupName: group }));
  return created;
};

/** Makes an operator a member of this group alone. */
export const setGroup = async (pool: UserPool, name: string, group: Role): Promise<void> => {
  await pool.client.send(new AdminAddUserToGroupCommand({ ...userOf(pool, name), GroupName: group }));
  const others = (await groupsOf(pool, name)).filter((other) => other !== group);
  for (const GroupName of others)
    await pool.client.send(new AdminRemoveUserFromGroupCommand({ ...userOf(pool, name), GroupName }));
};

/** Lets an operator sign in again. */
export const enableOperator = async (pool: UserPool, name: string): Promise<void> => {
  await pool.client.send(new AdminEnableUserCommand(userOf(pool, name)));
};

/** Keeps an operator from signing in and ends their sessions. */
export const disableOperator = async (pool: UserPool, name: string): Promise<void> => {
  await pool.client.send(new AdminDisableUserCommand(userOf(pool, name)));
  await pool.client.send(new AdminUserGlobalSignOutCommand(userOf(pool, name)));
};

/**
 * Replaces an operator's password with a temporary one, removes their authenticator app and ends their sessions. The
 * password is mailed; with `print` it is returned instead.
 */
export const resetSignIn = async (
  pool: UserPool,
  { operatorId, status }: Operator,
  { print = false }: { readonly print?: boolean } = {},
): Promise<string | undefined> => {
  const password = temporaryPassword();
  const user = userOf(pool, operatorId);
  await pool.client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: false }));
  if (status !== 'pending') {
    const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false };
    await pool.client.send(new AdminSetUserMFAPreferenceCommand({ ...user, SoftwareTokenMfaSettings }));
    await pool.client.send(new AdminUserGlobalSignOutCommand(user));
  }
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
