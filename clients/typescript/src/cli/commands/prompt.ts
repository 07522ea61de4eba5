import { Cuevault } from '../../client.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Snapshot, SnapshotEntry } from '../../prompts/snapshot.ts';
import { labelVariable } from '../../settings.ts';
import { type Mode, writeWhole } from '../../whole-file.ts';
import type { PromptResult } from '../../wire.ts';
import { CliError, EXIT, errorAbout, wrongUsage } from '../exit-codes.ts';
import type { Call, Values } from '../options.ts';
import type { Terminal } from '../terminal.ts';

/** The part after the last `@` of a reference: a version, else a label. Without one, what a client would ask for. */
const requestOf = (reference: string) => {
  const at = reference.lastIndexOf('@');
  const name = at < 1 ? reference : reference.slice(0, at);
  const which = at < 1 ? (labelVariable() ?? 'latest') : reference.slice(at + 1);
  if (which === 'latest') return { name, version: which, latest: true };
  return /^\d+\.\d+\.\d+$/.test(which) ? { name, version: which } : { name, label: which };
};

/** The fields of a prompt as the service returns them. */
export const resultOf = (name: string, prompt: Prompt): PromptResult => {
  const { promptId = '', version = '', tags, metaProperties, prompt: template, messages, model } = prompt;
  const { config, output, tools, includes, declarations } = prompt;
  const shown = <Value extends object>(value: Value) => (Object.keys(value).length > 0 ? value : undefined);
  return {
    promptId,
    name,
    version,
    tags,
    metaProperties,
    prompt: template,
    type: messages && 'chat',
    messages,
    variables: shown(declarations),
    model,
    config: shown(config),
    output,
    tools: shown(tools),
    includes: shown(includes),
  };
};

/**
 * Fetches prompts, each given as NAME, NAME@VERSION or NAME@LABEL, as a snapshot.
 * Errors: CliError that names the one that failed.
 */
export const fetchSnapshot = async (references: readonly string[]): Promise<Snapshot> => {
  const { prompts } = new Cuevault();
  const fetchEntry = async (reference: string): Promise<SnapshotEntry> => {
    const { name, latest, version: asked, label } = requestOf(reference);
    try {
      return { label, latest, ...resultOf(name, await prompts.get(name, { version: asked, label })) };
    } catch (error) {
      throw errorAbout(reference, error);
    }
  };
  return { cuevaultSnapshot: 1, savedAt: Date.now(), prompts: await Promise.all(references.map(fetchEntry)) };
};

const variablesFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw wrongUsage('--var must be NAME=VALUE.');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const getPrompt = async (name: string, values: Values, terminal: Terminal): Promise<void> => {
  const { version, strict } = values;
  const label = values.label?.at(-1);
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

/** Writes text to a file, whole, or to standard output if none is given. Errors: CliError `other`. */
export const writeOutput = async (
  text: string,
  file: string | undefined,
  terminal: Terminal,
  mode: Mode,
): Promise<void> => {
  if (file === undefined) return terminal.raw(text);
  try {
    await writeWhole(file, text, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${JSON.stringify(file)} cannot be written (${code}).`, EXIT.other);
  }
};

/** `cuevault prompt get NAME`, `cuevault prompt snapshot NAME...`. Returns the exit code. */
export const promptCommand = async ({ operands, values, terminal }: Call): Promise<number> => {
  const [action, name = '', ...more] = operands;
  if (action === 'get' && more.length === 0) await getPrompt(name, values, terminal);
  else if (action === 'snapshot') {
    const snapshot = await fetchSnapshot([name, ...more]);
    await writeOutput(`${JSON.stringify(snapshot, null, 2)}\n`, values.output, terminal, {
      mode: 0o600,
      isKept: true,
    });
  } else throw wrongUsage('"cuevault prompt" takes get NAME, or snapshot NAME...');
  return EXIT.done;
};
