import type { Operators } from '../identity/operators.ts';
import { type AwsReply, awsFailure, awsReply, unsupported } from './reply.ts';

/** The stand-in for Cognito: the operators of the identity provider. */
export type Cognito = (operation: string, body: unknown) => Promise<AwsReply>;

interface Input {
  readonly Username?: string;
  readonly MessageAction?: string;
}

type Account = NonNullable<ReturnType<Operators['account']>>;

const userOf = ({ id, enabled, pending }: Account) => ({
  Username: id,
  Enabled: enabled,
  UserStatus: pending ? 'FORCE_CHANGE_PASSWORD' : 'CONFIRMED',
});

const attributesOf = ({ email }: Account) => [{ Name: 'email', Value: email }];

type Answer = (account: Account) => AwsReply;

const answers = (operators: Operators): Readonly<Record<string, Answer>> => {
  const done = awsReply({});
  const after =
    (change: (account: Account) => void): Answer =>
    (account) => {
      change(account);
      return done;
    };
  return {
    AdminGetUser: (account) => awsReply({ ...userOf(account), UserAttributes: attributesOf(account) }),
    AdminEnableUser: after(({ id }) => operators.setEnabled(id, true)),
    AdminDisableUser: after(({ id }) => operators.setEnabled(id, false)),
    AdminDeleteUser: after(({ id }) => operators.remove(id)),
    AdminUserGlobalSignOut: after(({ id }) => operators.endSessions(id)),
    // There is no second factor here.
    AdminSetUserMFAPreference: () => done,
    // Nor a password.
    AdminSetUserPassword: after(({ id }) => operators.setPending(id, true)),
  };
};

/** Answers the calls of `lambdas/store/operators`. Nobody has a password here, so nothing is mailed. */
export const createCognito = (operators: Operators): Cognito => {
  const byUser = answers(operators);

  const createUser = ({ Username = '', MessageAction }: Input) => {
    const exists = operators.account(Username) !== undefined;
    if (exists && MessageAction !== 'RESEND')
      return awsFailure('UsernameExistsException', 'User account already exists.');
    const { id } = operators.account(Username) ?? operators.add(Username);
    operators.setPending(id, true);
    return awsReply({ User: { Username: id } });
  };

  return async (operation, body) => {
    const input = body as Input;
    if (operation === 'ListUsers')
      return awsReply({
        Users: operators.all().map((account) => ({ ...userOf(account), Attributes: attributesOf(account) })),
      });
    if (operation === 'AdminCreateUser') return createUser(input);
    const answer = byUser[operation];
    if (answer === undefined) return unsupported();
    const account = operators.account(input.Username ?? '');
    return account === undefined
      ? awsFailure('UserNotFoundException', 'User does not exist.')
      : answer(account);
  };
};
