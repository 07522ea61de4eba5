import { Cuevault } from '../../client.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import type { Call } from '../options.ts';

const variablesFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw wrongUsage('--var must be NAME=VALUE.');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** `cuevault prompt get NAME`: prints a prompt. Returns the exit code. */
export const promptCommand = async ({ operands, values, terminal }: Call): Promise<number> => {
  const [action, name = ''] = operands;
  if (action !== 'get') throw wrongUsage('"cuevault prompt" takes get NAME.');
  const { version, strict } = values;
  const label = values.label?.at(-1);
  const variables = variablesFrom(values.var ?? []);
  const prompt = await new Cuevault().prompts.get(name, { version, label });
  const compiledPrompt = prompt.compile(variables, { strict });
  if (values.json === true) {
    const { promptId, tags, metaProperties, prompt: template, messages, model, output, source } = prompt;
    const shown = <Value extends object>(value: Value) => (Object.keys(value).length > 0 ? value : undefined);
    const result = {
      promptId,
      name: prompt.name,
      version: prompt.version,
      tags,
      metaProperties,
      prompt: template,
      type: messages && 'chat',
      messages,
      variables: shown(prompt.declarations),
      model,
      config: shown(prompt.config),
      output,
      tools: shown(prompt.tools),
      includes: shown(prompt.includes),
      compiledPrompt,
      source,
    };
    terminal.raw(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    // Byte for byte, except on a terminal.
    terminal.raw(terminal.isTTY ? `${compiledPrompt}\n` : compiledPrompt);
  }
  return EXIT.done;
};
