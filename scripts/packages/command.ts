// The commands of the packages for AWS: cuevault-cdk <command> --stack NAME for a deployment in an app of yours, and those
// of the package that deploys by itself.
import { parseArgs } from 'node:util';
import { COMMAND, IN_APP, runCommand } from '../aws/command.ts';
import { CommandError, findStack } from '../aws/stack.ts';

/** What each command does, and its module, which runs it. */
const COMMANDS: Readonly<Record<string, readonly [what: string, load: () => Promise<unknown>]>> = {
  ...(process.env.CUEVAULT_COMMAND !== 'npx --no cuevault-cdk' && {
    deploy: ['deploys, and upgrades', () => import('../aws/deploy.ts')],
    destroy: ['removes a deployment', () => import('../aws/destroy.ts')],
  }),
  doctor: ['checks that the account is ready for a deployment', () => import('../aws/doctor.ts')],
  smoke: ['checks a deployment', () => import('../aws/smoke.ts')],
  operator: ['adds, lists and removes operators', () => import('../aws/operator.ts')],
  'who-has': [
    'says which secrets have a leaked value, and who received it',
    () => import('../aws/who-has.ts'),
  ],
  backup: ['writes prompts, secrets and API keys to a file', () => import('../backup/backup.ts')],
  restore: ['restores such a file', () => import('../backup/restore.ts')],
  'vault-key': [
    'prints the public keys of a deployment, for backups',
    () => import('../backup/vault-key.ts'),
  ],
};

const USAGE = `Usage: ${COMMAND} <command>${IN_APP ? ' --stack NAME' : ''} [options of the command]

${Object.entries(COMMANDS)
  .map(([name, [what]]) => `  ${name.padEnd(9)} ${what}`)
  .join('\n')}

--help after a command prints its options.`;

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
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...(IN_APP ? await withStage(args) : args));
  await COMMANDS[name]?.[1]();
  return undefined;
});
