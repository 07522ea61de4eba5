// cuevault-cdk <command> --stack NAME: the commands for a deployment in an app of yours.
import { parseArgs } from 'node:util';
import { runCommand } from '../aws/command.ts';
import { CommandError, findStack } from '../aws/stack.ts';

const USAGE = `Usage: npx --no cuevault-cdk <command> --stack NAME [options of the command]

  doctor    checks that the account is ready for a deployment
  smoke     checks a deployment
  operator  adds, lists and removes operators
  who-has   says which secrets have a leaked value, and who received it
  backup    writes prompts, secrets and API keys to a file
  restore   restores such a file
  vault-key prints the public keys of a deployment, for backups between deployments

--help after a command prints its options.`;

const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  doctor: () => import('../aws/doctor.ts'),
  smoke: () => import('../aws/smoke.ts'),
  'who-has': () => import('../aws/who-has.ts'),
  operator: () => import('../aws/operator.ts'),
  backup: () => import('../backup/backup.ts'),
  restore: () => import('../backup/restore.ts'),
  'vault-key': () => import('../backup/vault-key.ts'),
};

const options = { stack: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

/** The arguments with the stage of the stack instead of its name, by which the commands find it then. */
const withStage = async (args: string[]): Promise<string[]> => {
  const { values, tokens } = parseArgs({ args, strict: false, tokens: true, options });
  if (values.help === true) return args;
  if (typeof values.stack !== 'string') throw new CommandError(`Name the stack.\n\n${USAGE}`);
  process.env.CUEVAULT_STACK = values.stack;
  const stack = await findStack('');
  if (stack !== undefined && stack.stage === undefined)
    throw new CommandError(`${values.stack} is not a stack of Cuevault: it lacks the tag with its stage.`);
  const own = tokens.flatMap((token) =>
    token.kind === 'option' && token.name === 'stack'
      ? [token.index, ...(token.inlineValue ? [] : [token.index + 1])]
      : [],
  );
  const rest = args.filter((_, index) => !own.includes(index));
  return stack === undefined ? rest : [...rest, '--stage', stack.stage ?? ''];
};

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, name)) {
    if (name === '--help' || name === '-h') return USAGE;
    throw new CommandError(USAGE);
  }
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...(await withStage(args)));
  await COMMANDS[name]?.();
  return undefined;
});
