import { parseArgs } from 'node:util';
import { Cuevault } from '../../client.ts';
import { writeWhole } from '../../whole-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { PROMPT_HELP } from '../help.ts';
import type { Terminal } from '../terminal.ts';
import { fetchSnapshot, resultOf } from './snapshot.ts';

const variablesFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new CliError('--var must be NAME=VALUE.', EXIT.usage);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

export const PROMPT_OPTIONS = {
  version: { type: 'string' },
  label: { type: 'string' },
  var: { type: 'string', multiple: true },
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof PROMPT_OPTIONS }>>['values'];

const getPrompt = async (name: string, values: Values, terminal: Terminal): Promise<void> => {
  const { version, label, strict } = values;
  const variables = variablesFrom(values.var ?? []);
  const prompt = await new Cuevault().prompts.get(name, { version, label });
  const compiledPrompt = prompt.compile(variables, { strict });
  if (values.json === true) {
    const result = { ...resultOf(prompt.name ?? name, prompt), compiledPrompt, source: prompt.source };
    terminal.raw(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    // Byte for byte, except on a terminal.
    terminal.raw(terminal.isTTY ? `${compiledPrompt}\n` : compiledPrompt);
  }
};

/** Writes text to a file, with mode 0600 and whole, or to standard output if none is given. Errors: CliError `other`. */
export const writeOutput = async (
  text: string,
  file: string | undefined,
  terminal: Terminal,
): Promise<void> => {
  if (file === undefined) return terminal.raw(text);
  try {
    await writeWhole(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${JSON.stringify(file)} cannot be written (${code}).`, EXIT.other);
  }
};

/** `cuevault prompt get NAME`, `cuevault prompt snapshot NAME...`. Returns the exit code. */
export const promptCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = parseArgs({ args, options: PROMPT_OPTIONS, allowPositionals: true });
  if (values.help === true) {
    terminal.out(PROMPT_HELP);
    return EXIT.done;
  }
  const [action, name, ...more] = positionals;
  const isGet = action === 'get' && more.length === 0;
  if (name === undefined || !(isGet || action === 'snapshot')) {
    const sentence =
      'Usage: cuevault prompt get NAME, or cuevault prompt snapshot NAME...; see "cuevault prompt --help".';
    throw new CliError(sentence, EXIT.usage);
  }
  const foreign = Object.keys(values).find((option) => (option === 'output') === isGet);
  if (foreign !== undefined) {
    throw new CliError(`"cuevault prompt ${action}" has no option --${foreign}.`, EXIT.usage);
  }
  if (isGet) await getPrompt(name, values, terminal);
  else {
    const snapshot = await fetchSnapshot([name, ...more]);
    await writeOutput(`${JSON.stringify(snapshot, null, 2)}\n`, values.output, terminal);
  }
  return EXIT.done;
};
