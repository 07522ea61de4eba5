// Manages the operators of a deployment: npm run operator -- add you@example.com --group admin
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../contract/endpoint.ts';
import {
  disableOperator,
  enableOperator,
  findOperator,
  invite,
  listOperators,
  type Operator,
  resetSignIn,
  setGroup,
  type UserPool,
} from '../../lambdas/store/operators/user-pool.ts';
import { runWithArguments } from './command.ts';
import { CommandError, requireStack } from './stack.ts';

const USAGE = `Usage: npm run operator -- <command> [--stage prod]

  add EMAIL --group admin|editor|viewer   invite an operator, or enable and move an existing one
  reset EMAIL [--print]                   mail (or print) a temporary password; remove the authenticator app
  disable EMAIL                           block sign-in and end all sessions
  list                                    show all operators`;

const ROLES: readonly Role[] = ['admin', 'editor', 'viewer'];

const isRole = (group: string | undefined): group is Role => ROLES.some((role) => role === group);

const lineOf = ({ email, status, group }: Operator): string =>
  [email, group ?? 'no group', status].join('\t');

const required = async (pool: UserPool, email: string): Promise<Operator> => {
  const operator = await findOperator(pool, email);
  if (operator !== undefined) return operator;
  throw new CommandError(`There is no operator ${email}. "npm run operator -- list" shows all.`);
};

interface Options {
  readonly group?: string | undefined;
  readonly print: boolean;
}

const add = async (pool: UserPool, email: string, { group }: Options): Promise<string> => {
  if (!isRole(group)) throw new CommandError(`Name the group with --group: ${ROLES.join(', ')}.`);
  if (await invite(pool, email, group))
    return `${email} is invited by mail, in the group ${group}. The temporary password expires in seven days.`;
  await enableOperator(pool, email);
  await setGroup(pool, email, group);
  return `${email} already existed and is now enabled, in the group ${group}.`;
};

const reset = async (pool: UserPool, email: string, { print }: Options): Promise<string> => {
  const password = await resetSignIn(pool, await required(pool, email), { print });
  return password === undefined
    ? `A temporary password is mailed to ${email}. It expires in seven days.`
    : `Temporary password of ${email}, valid for seven days: ${password}`;
};

const disable = async (pool: UserPool, email: string): Promise<string> => {
  await disableOperator(pool, (await required(pool, email)).operatorId);
  return `${email} can no longer sign in. Access tokens already issued expire within ten minutes.`;
};

const COMMANDS = { add, reset, disable };

const connect = async (stage: string): Promise<UserPool> => {
  const stack = await requireStack(stage);
  return { client: new CognitoIdentityProviderClient({}), userPoolId: stack.output('UserPoolId') };
};

const OPTIONS = {
  group: { type: 'string' },
  print: { type: 'boolean', default: false },
  stage: { type: 'string', default: 'prod' },
} as const;

const ACCEPTED = { usage: USAGE, options: OPTIONS, counts: [1, 2] };

await runWithArguments(ACCEPTED, async ({ positionals: [name = '', email], values }) => {
  if (name === 'list' && email === undefined) {
    const operators = await listOperators(await connect(values.stage));
    return operators.length === 0 ? 'There are no operators yet.' : operators.map(lineOf).join('\n');
  }
  if (!Object.hasOwn(COMMANDS, name) || email === undefined) throw new CommandError(USAGE);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`"${email}" is not an e-mail address.`);
  return COMMANDS[name as keyof typeof COMMANDS](await connect(values.stage), email, values);
});
