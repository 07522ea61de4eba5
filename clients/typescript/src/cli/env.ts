import { parseArgs } from 'node:util';
import { CliError, EXIT } from './exit-codes.ts';
import { FORMATS, type Format, format } from './formats.ts';
import { ENV_HELP } from './help.ts';
import { SOURCE_OPTIONS, secretsSource } from './source.ts';
import type { Terminal } from './terminal.ts';

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

/** `cuevault env`: prints secrets. Returns the exit code. */
export const envCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values } = parseArgs({
    args,
    options: {
      ...SOURCE_OPTIONS,
      format: { type: 'string', default: 'dotenv' },
      reveal: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    terminal.out(ENV_HELP);
    return EXIT.done;
  }
  if (!isFormat(values.format))
    throw new CliError(`--format must be one of ${FORMATS.join(', ')}.`, EXIT.usage);
  if (terminal.isTTY && values.reveal !== true) {
    const sentence = 'Values are not printed to a terminal: add --reveal, or send the output elsewhere.';
    throw new CliError(sentence, EXIT.usage);
  }
  terminal.out(format(await secretsSource(values, terminal)(), values.format));
  return EXIT.done;
};
