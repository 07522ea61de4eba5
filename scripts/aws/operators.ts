import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
  paginateListUsers,
  UserNotFoundException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../contract/endpoint.ts';
import { invite, temporaryPassword } from '../../lambdas/triggers/invitation.ts';
import { CommandError } from './stack.ts';

/** The user pool of a deployment. */
export interface Pool {
  readonly client: CognitoIdentityProviderClient;
  readonly userPoolId: string;
}

export interface Operator {
  readonly email: string;
  /** Cognito's, such as `CONFIRMED` or `FORCE_CHANGE_PASSWORD`. */
  readonly status: string;
  readonly enabled: boolean;
  readonly groups: readonly string[];
}

const userOf = ({ userPoolId }: Pool, email: string) => ({ UserPoolId: userPoolId, Username: email });

const statusOf = async (pool: Pool, email: string): Promise<string> => {
  try {
    const { UserStatus = '' } = await pool.client.send(new AdminGetUserCommand(userOf(pool, email)));
    return UserStatus;
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
    throw new CommandError(`There is no operator ${email}. "npm run operator -- list" shows all.`);
  }
};

const groupsOf = async (pool: Pool, email: string): Promise<string[]> => {
  const { Groups = [] } = await pool.client.send(new AdminListGroupsForUserCommand(userOf(pool, email)));
  return Groups.flatMap(({ GroupName }) => GroupName ?? []);
};

/**
 * Invites an operator by mail. An existing operator is enabled and moved to the group. Returns whether the operator is
 * new. Errors: those of Cognito, as for the other functions here.
 */
export const addOperator = async (pool: Pool, email: string, group: Role): Promise<boolean> => {
  const created = await invite({ ...pool, email, group });
  if (created) return true;
  await pool.client.send(new AdminEnableUserCommand(userOf(pool, email)));
  const others = (await groupsOf(pool, email)).filter((other) => other !== group);
  for (const GroupName of others)
    await pool.client.send(new AdminRemoveUserFromGroupCommand({ ...userOf(pool, email), GroupName }));
  return false;
};

/**
 * Replaces an operator's password with a temporary one, removes their authenticator app and ends their sessions. The
 * password is mailed; with `print` it is returned instead. Errors: `CommandError` if there is no such operator.
 */
export const resetOperator = async (
  pool: Pool,
  email: string,
  { print }: { readonly print: boolean },
): Promise<string | undefined> => {
  const status = await statusOf(pool, email);
  const password = temporaryPassword();
  const user = userOf(pool, email);
  await pool.client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: false }));
  if (status !== 'FORCE_CHANGE_PASSWORD') {
    await pool.client.send(
      new AdminSetUserMFAPreferenceCommand({
        ...user,
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      }),
    );
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

/** Keeps an operator from signing in and ends their sessions. Errors: `CommandError` if there is no such operator. */
export const disableOperator = async (pool: Pool, email: string): Promise<void> => {
  await statusOf(pool, email);
  await pool.client.send(new AdminDisableUserCommand(userOf(pool, email)));
  await pool.client.send(new AdminUserGlobalSignOutCommand(userOf(pool, email)));
};

const emailOf = ({ Attributes = [], Username = '' }: UserType): string =>
  Attributes.find(({ Name }) => Name === 'email')?.Value ?? Username;

/** All operators, by address. */
export const listOperators = async (pool: Pool): Promise<Operator[]> => {
  const operators: Operator[] = [];
  for await (const { Users = [] } of paginateListUsers(pool, { UserPoolId: pool.userPoolId })) {
    for (const user of Users) {
      operators.push({
        email: emailOf(user),
        status: user.UserStatus ?? '',
        enabled: user.Enabled ?? true,
        groups: await groupsOf(pool, user.Username ?? ''),
      });
    }
  }
  return operators.sort((a, b) => a.email.localeCompare(b.email, 'en'));
};
