// Says which secrets have a value, and who received it: npm run --silent who-has < value.txt
import { text } from 'node:stream/consumers';
import { whoHas } from '../../contract/functions/commands.ts';
import type { WhoHas } from '../../lambdas/store/views/who-has.ts';
import { OF_INSTALLATION, runWithArguments } from './command.ts';
import { withInstallation } from './installation.ts';
import { CommandError } from './stack.ts';

const USAGE = `Usage: npm run --silent who-has -- [options] < FILE

Reads a value from standard input, never from an argument; one line break at its end may not be part of it.
Says which secrets have or had this value, and which API keys received it. Each question is in the audit log.`;

const linesOf = ({ found, unopened }: WhoHas): string[] => [
  ...(found.length === 0 ? ['No stored value equals this.'] : []),
  ...found.flatMap(({ environment, key, secretId, number, state, receivers }) => [
    `${key} in ${environment}: the value no. ${number} (${state}), secret ${secretId}`,
    ...(receivers.length === 0 ? ['  No API key is known to have read it.'] : []),
    ...receivers.map(
      ({ apiKeyName, apiKeyId, isActive, isCertain, from, to, stillHasIt }) =>
        `  ${apiKeyName} (${apiKeyId}${isActive ? '' : ', no longer active'}), ${isCertain ? '' : 'possibly '}first received ${from}, last received ${to}${stillHasIt ? ', has read no other value since' : ''}`,
    ),
  ]),
  ...(found.length === 0
    ? []
    : ['Revoke the API keys, stop serving the environment if you must, and give the secret a new value.']),
  ...(unopened > 0 ? [`${unopened} stored values do not open and were not compared.`] : []),
];

await runWithArguments({ usage: USAGE, options: OF_INSTALLATION }, async ({ values }) => {
  if (process.stdin.isTTY)
    throw new CommandError('Send the value from a file, which shows it to nobody: < FILE.');
  const value = await text(process.stdin);
  return withInstallation(values, async ({ invoke }) =>
    linesOf((await invoke(whoHas.id, { value })) as WhoHas).join('\n'),
  );
});
