import { parseArgs } from 'node:util';
import { Cuevault } from '../client.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { PROMPT_HELP } from './help.ts';
import type { Terminal } from './terminal.ts';

const variablesFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new CliError('--var must be NAME=VALUE.', EXIT.usage);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const OPTIONS = {
  version: { type: 'string' },
  label: { type: 'string' },
  var: { type: 'string', multiple: true },
  strict: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `cuevault prompt get NAME`: prints a prompt. Returns the exit code. */
export const promptCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  if (values.help === true) {
    terminal.out(PROMPT_HELP);
    return EXIT.done;
  }
  const [action, name, ...more] = positionals;
  if (action !== 'get' || name === undefined || more.length > 0) {
    throw new CliError('Say "cuevault prompt get NAME"; see "cuevault prompt --help".', EXIT.usage);
  }
  const { version, label, strict } = values;
  const variables = variablesFrom(values.var ?? []);
  const prompt = await new Cuevault().prompts.get(name, { version, label, variables, strict });
  // Byte for byte, but for a person's eyes.
  terminal.out(terminal.isTTY ? `${prompt.compiledPrompt}\n` : prompt.compiledPrompt);
  return EXIT.done;
};
