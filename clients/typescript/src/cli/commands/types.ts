import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkSnapshot, type Snapshot, type SnapshotEntry } from '../../prompts/snapshot.ts';
import { parseTemplate } from '../../prompts/templates.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { TYPES_HELP } from '../help.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from './prompt.ts';
import { fetchSnapshot } from './snapshot.ts';

export const TYPES_OPTIONS = {
  snapshot: { type: 'string' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
} as const;

const unionOf = (texts: readonly string[]): string =>
  texts.length === 0 ? 'string' : texts.map((text) => JSON.stringify(text)).join(' | ');

/** The type of one prompt: a variable is optional if one of the versions does without it. */
const typeOf = (entries: readonly SnapshotEntry[]): string => {
  const variables = entries.map(({ prompt }) => parseTemplate(prompt).variables);
  const all = [...new Set(variables.flat())].sort();
  const fields = all.map((name) => {
    const optional = variables.every((names) => names.includes(name)) ? '' : '?';
    return `readonly ${JSON.stringify(name)}${optional}: unknown`;
  });
  const labels = [...new Set(entries.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
  return `{ variables: { ${fields.join('; ')} }; labels: ${unionOf(labels)} }`;
};

/** A declaration file for the prompts of a snapshot. */
export const declarationsFor = ({ prompts }: Snapshot): string => {
  const names = [...new Set(prompts.map(({ name }) => name))].sort();
  const lines = names.map((name) => {
    const type = typeOf(prompts.filter((entry) => entry.name === name));
    return `    ${JSON.stringify(name)}: ${type};\n`;
  });
  return `// Written by "cuevault types": names, labels and variables of the prompts.
import 'cuevault';

declare module 'cuevault' {
  interface PromptTypes {
${lines.join('')}  }
}
`;
};

const readSnapshot = (file: string): Snapshot => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'not JSON';
    throw new CliError(`The snapshot ${JSON.stringify(file)} cannot be read (${reason}).`, EXIT.usage);
  }
  return checkSnapshot(content);
};

/** `cuevault types`: writes TypeScript types of prompts. Returns the exit code. */
export const typesCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = parseArgs({ args, options: TYPES_OPTIONS, allowPositionals: true });
  if (values.help === true) {
    terminal.out(TYPES_HELP);
    return EXIT.done;
  }
  if ((values.snapshot === undefined) === (positionals.length === 0)) {
    throw new CliError('Name the prompts, or pass --snapshot FILE; see "cuevault types --help".', EXIT.usage);
  }
  const { snapshot } = values;
  const content = snapshot === undefined ? await fetchSnapshot(positionals) : readSnapshot(snapshot);
  writeOutput(declarationsFor(content), values.output, terminal);
  return EXIT.done;
};
