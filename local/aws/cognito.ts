import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MAIL_FILE } from '../../contract/sign-in.ts';
import type { Operators } from '../identity/operators.ts';
import { replacePrivate } from '../private-file.ts';
import { type AwsReply, awsFailure, awsReply, unsupported } from './reply.ts';

/** The stand-in for Cognito: the operators of the identity provider. */
export type Cognito = (operation: string, body: unknown) => Promise<AwsReply>;

interface Input {
  readonly Username?: string;
  readonly Password?: string;
  readonly TemporaryPassword?: string;
  readonly MessageAction?: string;
}

type Account = NonNullable<ReturnType<Operators['account']>>;

const userOf = ({ id, enabled, pending }: Account) => ({
  Username: id,
  Enabled: enabled,
  UserStatus: pending ? 'FORCE_CHANGE_PASSWORD' : 'CONFIRMED',
});

const attributesOf = ({ email }: Account) => [{ Name: 'email', Value: email }];

type Answer = (account: Account, input: Input) => AwsReply | Promise<AwsReply>;

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
    AdminSetUserPassword: async ({ email }, { Password = '' }) => {
      await operators.setTemporaryPassword(email, Password);
      return done;
    },
  };
};

/**
 * Answers the calls of `lambdas/store/operators`. Users get their temporary
 * password by `onMail` instead of by mail.
 */
export const createCognito = (
  operators: Operators,
  onMail: (email: string, password: string) => void,
): Cognito => {
  const byUser = answers(operators);

  const createUser = async ({ Username = '', TemporaryPassword = '', MessageAction }: Input) => {
    const exists = operators.account(Username) !== undefined;
    if (exists && MessageAction !== 'RESEND')
      return awsFailure('UsernameExistsException', 'User account already exists.');
    const { id, email } = await operators.setTemporaryPassword(
      operators.account(Username)?.email ?? Username,
      TemporaryPassword,
    );
    onMail(email, TemporaryPassword);
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
      : answer(account, input);
  };
};

/**
 * Replaces mail: keeps the last temporary password of each operator in a file of the data folder, which only its owner
 * can read.
 */
export const mailTo =
  (dataFolder: string) =>
  (email: string, password: string): void => {
    const file = path.join(dataFolder, MAIL_FILE);
    const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    replacePrivate(file, `${JSON.stringify({ ...earlier, [email]: password }, null, 2)}\n`);
  };
