// Manages the operators of a deployment: npm run operator -- add you@example.com --group admin
import type * as z from 'zod/mini';
import { ROLES, type Role } from '../../contract/fields/access.ts';
import { operatorManage } from '../../contract/functions/commands.ts';
import type { OperatorRow } from '../../lambdas/store/operators/changes.ts';
import { OF_INSTALLATION, runWithArguments, UsageError } from './command.ts';
import { withInstallation } from './installation.ts';
import { CommandError } from './stack.ts';

const USAGE = `Usage: npm run operator -- <command> [options]

  add EMAIL      invite an operator to the group, or enable and move an existing one
  reset EMAIL    mail (or print) a temporary password; remove the authenticator app
  disable EMAIL  end access with the next call, block sign-in and end all sessions
  remove EMAIL   the same for good: only a new invitation brings the operator back
  list           show all operators`;

const isRole = (group: string | undefined): group is Role => ROLES.some((role) => role === group);

const lineOf = ({ email, status, group }: OperatorRow): string => [email, group, status].join('\t');

interface Options {
  readonly group?: string | undefined;
  readonly print: boolean;
}

type Invoke = <Reply>(input: z.input<typeof operatorManage.input>) => Promise<Reply>;

const add = async (invoke: Invoke, email: string, { group }: Options): Promise<string> => {
  if (!isRole(group)) throw new CommandError(`Name the group with --group: ${ROLES.join(', ')}.`);
  const { invited } = await invoke<{ readonly invited: boolean }>({ do: 'add', email, group });
  return invited
    ? `${email} is invited by mail, in the group ${group}. The temporary password expires in seven days.`
    : `${email} already existed and is now enabled, in the group ${group}.`;
};

const reset = async (invoke: Invoke, email: string, { print }: Options): Promise<string> => {
  const { password } = await invoke<{ readonly password?: string }>({ do: 'reset', email, print });
  return password === undefined
    ? `A temporary password is mailed to ${email}. It expires in seven days.`
    : `Temporary password of ${email}, valid for seven days: ${password}`;
};

const disable = async (invoke: Invoke, email: string): Promise<string> => {
  await invoke({ do: 'disable', email });
  return `${email} may do nothing from now on, and can no longer sign in.`;
};

const remove = async (invoke: Invoke, email: string): Promise<string> => {
  await invoke({ do: 'remove', email });
  return `${email} is no longer an operator.`;
};

const list = async (invoke: Invoke): Promise<string> => {
  const { operators } = await invoke<{ readonly operators: readonly OperatorRow[] }>({ do: 'list' });
  return operators.length === 0 ? 'There are no operators yet.' : operators.map(lineOf).join('\n');
};

const COMMANDS = { add, reset, disable, remove };

const OPTIONS = {
  group: { type: 'string', says: ['--group GROUP', ROLES.join(', ')] },
  print: {
    type: 'boolean',
    default: false,
    says: ['--print', 'the temporary password, instead of mailing it'],
  },
  ...OF_INSTALLATION,
} as const;

const ACCEPTED = { usage: USAGE, options: OPTIONS, counts: [1, 2] };

await runWithArguments(ACCEPTED, async ({ positionals: [name = '', email], values }) => {
  const isList = name === 'list' && email === undefined;
  if (!isList && (!Object.hasOwn(COMMANDS, name) || email === undefined)) throw new UsageError();
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new CommandError(`"${email}" is not an e-mail address.`);
  return withInstallation(values, ({ invoke }) => {
    const manage: Invoke = (input) => invoke(operatorManage.id, input) as Promise<never>;
    return email === undefined
      ? list(manage)
      : COMMANDS[name as keyof typeof COMMANDS](manage, email, values);
  });
});
