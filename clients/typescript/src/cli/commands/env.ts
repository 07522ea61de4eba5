import { parseArgs } from 'node:util';
import { CliError, EXIT } from '../exit-codes.ts';
import { FORMATS, type Format, format } from '../formats.ts';
import { ENV_HELP } from '../help.ts';
import { withoutDangerous } from '../injection.ts';
import { listed, SOURCE_OPTIONS, secretsSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from './prompt.ts';

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

export const ENV_OPTIONS = {
  ...SOURCE_OPTIONS,
  format: { type: 'string', default: 'dotenv' },
  json: { type: 'boolean' },
  names: { type: 'boolean' },
  reveal: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
} as const;

const namesOf = (secrets: object, wanted: Format): string => {
  const names = Object.keys(secrets);
  return wanted === 'json'
    ? `${JSON.stringify(names, null, 2)}\n`
    : names.map((name) => `${name}\n`).join('');
};

/** `cuevault env`: prints secrets. Returns the exit code. */
export const envCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values } = parseArgs({ args, options: ENV_OPTIONS });
  if (values.help === true) {
    terminal.out(ENV_HELP);
    return EXIT.done;
  }
  const wanted = values.json === true ? 'json' : values.format;
  if (!isFormat(wanted)) throw new CliError(`--format must be one of ${FORMATS.join(', ')}.`, EXIT.usage);
  if (terminal.isTTY && values.output === undefined && values.reveal !== true && values.names !== true) {
    const sentence = 'Values are not printed to a terminal: add --reveal or --names, or redirect the output.';
    throw new CliError(sentence, EXIT.usage);
  }
  const allow = listed('allow', values.allow) ?? [];
  const { set, report } = withoutDangerous(await secretsSource(values, terminal)(), allow);
  if (report !== undefined) terminal.err(`cuevault: ${report}\n`);
  const text = values.names === true ? namesOf(set, wanted) : format(set, wanted);
  await writeOutput(text, values.output, terminal);
  return EXIT.done;
};
