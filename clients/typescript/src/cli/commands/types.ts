import { readFileSync } from 'node:fs';
import { declared } from '../../../../../contract/content/variables.ts';
import { isPlaceholder, variablesIn } from '../../../../../contract/templates.ts';
import { checkSnapshot, type Snapshot, type SnapshotEntry } from '../../prompts/snapshot.ts';
import type { VariableDeclaration } from '../../wire.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import type { Call } from '../options.ts';
import { fetchSnapshot, writeOutput } from './prompt.ts';

const unionOf = (texts: readonly string[]): string =>
  texts.length === 0 ? 'string' : texts.map((text) => JSON.stringify(text)).join(' | ');

const TYPES: Readonly<Record<VariableDeclaration['type'], string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'readonly unknown[]',
  object: 'object',
};

const valueType = (declaration: VariableDeclaration | undefined): string => {
  if (declaration === undefined) return 'unknown';
  const { type, enum: values = [] } = declaration;
  const isLiteral = values.length > 0 && type !== 'array' && type !== 'object';
  const allowed = isLiteral ? values.map((value) => JSON.stringify(value)).join(' | ') : TYPES[type];
  return declaration.default === undefined ? allowed : `${allowed} | null`;
};

/** Fields of an object type; one is optional if a version does without it. */
const fieldsOf = (versions: readonly ReadonlyMap<string, { type: string; optional: boolean }>[]): string => {
  const names = [...new Set(versions.flatMap((fields) => [...fields.keys()]))].sort();
  const fields = names.map((name) => {
    const found = versions.flatMap((each) => each.get(name) ?? []);
    const optional = found.length < versions.length || found.some((each) => each.optional);
    const type = [...new Set(found.map((each) => each.type))].join(' | ');
    return `readonly ${JSON.stringify(name)}${optional ? `?: ${type} | undefined` : `: ${type}`}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
};

const variablesOf = ({ prompt, messages, variables: declarations }: SnapshotEntry) => {
  const names = variablesIn(messages === undefined ? { prompt } : { type: 'chat', messages });
  const fields = names.map((name) => {
    const declaration = declared(declarations, name);
    const optional = declaration?.default !== undefined;
    return [name, { type: valueType(declaration), optional }] as const;
  });
  return new Map(fields);
};

const placeholdersOf = ({ messages = [] }: SnapshotEntry) => {
  const lists = messages.filter(isPlaceholder);
  const isOptional = (name: string) => lists.every((each) => each.name !== name || each.optional === true);
  return new Map(
    lists.map(({ name }) => [name, { type: 'readonly object[]', optional: isOptional(name) }] as const),
  );
};

const typeOf = (entries: readonly SnapshotEntry[]): string => {
  const labels = [...new Set(entries.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
  const variables = fieldsOf(entries.map(variablesOf));
  const placeholders = fieldsOf(entries.map(placeholdersOf));
  return `{ variables: ${variables}; placeholders: ${placeholders}; labels: ${unionOf(labels)} }`;
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
    throw wrongUsage(`The snapshot ${JSON.stringify(file)} cannot be read (${reason}).`);
  }
  return checkSnapshot(content);
};

/** `cuevault types`: writes TypeScript types of prompts. Returns the exit code. */
export const typesCommand = async ({ operands, values, terminal }: Call): Promise<number> => {
  const { snapshot } = values;
  if ((snapshot === undefined) === (operands.length === 0)) {
    throw wrongUsage('Name the prompts, or pass --snapshot FILE; see "cuevault types --help".');
  }
  const content = snapshot === undefined ? await fetchSnapshot(operands) : readSnapshot(snapshot);
  await writeOutput(declarationsFor(content), values.output, terminal, { mode: 0o666, isKept: true });
  return EXIT.done;
};
