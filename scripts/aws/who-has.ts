// Says which secrets have a value, and who received it: npm run --silent who-has < value.txt
import { text } from 'node:stream/consumers';
import { LEAST_ASKED_BYTES, whoHas } from '../../contract/functions/commands.ts';
import { utf8Bytes } from '../../contract/limits.ts';
import type { FoundValue, Receiver, WhoHas } from '../../lambdas/store/views/who-has.ts';
import { withInstallation } from '../backup/installation.ts';
import { runWithArguments } from './command.ts';
import { CommandError } from './stack.ts';

const USAGE = `Usage: npm run --silent who-has [-- --stage prod] < FILE

Reads a value from standard input, never from an argument. One line break at its end is not part of it, unless only the value
with it is found. Says which secrets
have or had this value, and which API keys received it. Each question is in the audit log.`;

const lineOf = ({ apiKeyName, apiKeyId, isActive, isCertain, from, to, stillHasIt }: Receiver): string =>
  [
    `  ${apiKeyName} (${apiKeyId}${isActive ? '' : ', no longer active'})`,
    `${isCertain ? 'received it' : 'possibly received it'} ${from === to ? `on ${from}` : `from ${from} to ${to}`}`,
    ...(stillHasIt ? ['has read no other value since'] : []),
  ].join(', ');

const partOf = ({ environment, key, secretId, number, state, receivers }: FoundValue): string =>
  [
    `${key} in ${environment}: the value no. ${number} (${state}), secret ${secretId}`,
    ...(receivers.length === 0 ? ['  No API key is known to have read it.'] : receivers.map(lineOf)),
  ].join('\n');

const STEPS =
  'Revoke the API keys, stop serving the environment if you must, and give the secret a new value.';

/** The answer as a text. */
export const answerOf = ({ found, unopened }: WhoHas): string =>
  [
    ...(found.length === 0 ? ['No stored value equals this.'] : [...found.map(partOf), STEPS]),
    ...(unopened > 0 ? [`${unopened} stored values do not open and were not compared.`] : []),
  ].join('\n');

/** The value without a line break at its end, and the value as it is if it has one. */
const readValues = async (): Promise<string[]> => {
  if (process.stdin.isTTY)
    throw new CommandError('Send the value from a file, which shows it to nobody: < FILE.');
  const given = await text(process.stdin);
  const value = given.replace(/\r?\n$/, '');
  if (utf8Bytes(value) < LEAST_ASKED_BYTES)
    throw new CommandError(
      `A value has at least ${LEAST_ASKED_BYTES} bytes: shorter ones could be guessed, and are equal by chance.`,
    );
  return [...new Set([value, given])];
};

const OPTIONS = { stage: { type: 'string' } } as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values: { stage } }) => {
  const forms = await readValues();
  return withInstallation(stage, async ({ invoke }) => {
    let answer: WhoHas | undefined;
    for (const value of forms) {
      if (answer !== undefined && answer.found.length > 0) break;
      answer = (await invoke(whoHas.id, { value })) as WhoHas;
    }
    return answer === undefined ? '' : answerOf(answer);
  });
});
