import { isPlaceholder } from '../../../../../contract/content/templates.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { Cuevault } from '../../client.ts';
import { NotFoundError } from '../../errors.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { labelVariable } from '../../settings.ts';
import type { VariableDeclaration } from '../../wire.ts';
import { EXIT, errorAbout } from '../exit-codes.ts';
import type { Call } from '../options.ts';
import { writeOutput } from '../output.ts';

/** A prompt, and the label that it was asked for by. */
interface LabelledPrompt {
  readonly name: string;
  readonly label: string | undefined;
  readonly prompt: Prompt;
}

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

const variablesOf = ({ prompt: { variables, declarations } }: LabelledPrompt) => {
  const fields = variables.map((name) => {
    const declaration = declared(declarations, name);
    const optional = declaration?.default !== undefined;
    return [name, { type: valueType(declaration), optional }] as const;
  });
  return new Map(fields);
};

const placeholdersOf = ({ prompt: { messages = [] } }: LabelledPrompt) => {
  const lists = messages.filter(isPlaceholder);
  const isOptional = (name: string) => lists.every((each) => each.name !== name || each.optional === true);
  return new Map(
    lists.map(({ name }) => [name, { type: 'readonly object[]', optional: isOptional(name) }] as const),
  );
};

const typeOf = (entries: readonly LabelledPrompt[]): string => {
  const labels = [...new Set(entries.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
  const variables = fieldsOf(entries.map(variablesOf));
  const placeholders = fieldsOf(entries.map(placeholdersOf));
  return `{ variables: ${variables}; placeholders: ${placeholders}; labels: ${unionOf(labels)} }`;
};

/** A declaration file for these prompts. */
const declarationsFor = (prompts: readonly LabelledPrompt[]): string => {
  const names = [...new Set(prompts.map(({ name }) => name))].sort();
  const lines = names.map((name) => {
    const type = typeOf(prompts.filter((each) => each.name === name));
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

/**
 * What a reference can mean, the likeliest first: with an `@`, a name and its version or label; else a name, of which a
 * client would ask for its own label.
 */
const requestsOf = (reference: string) => {
  const at = reference.lastIndexOf('@');
  const whole = [reference, labelVariable() ?? 'latest'] as const;
  const parts = at < 1 ? [] : [[reference.slice(0, at), reference.slice(at + 1)] as const];
  return [...parts, whole].map(([name, which]) =>
    /^(latest|\d+\.\d+\.\d+)$/.test(which)
      ? { name, version: which, label: undefined }
      : { name, label: which },
  );
};

/** `cuevault types NAME...`: writes TypeScript types of prompts. Returns the exit code. */
export const typesCommand = async ({ operands, values, terminal }: Call): Promise<number> => {
  const { prompts } = new Cuevault();
  const fetched = operands.map(async (reference): Promise<LabelledPrompt> => {
    let refusal: unknown;
    for (const { name, ...which } of requestsOf(reference)) {
      try {
        return { name, label: which.label, prompt: await prompts.get(name, which) };
      } catch (error) {
        refusal ??= error;
        if (!(error instanceof NotFoundError)) break;
      }
    }
    throw errorAbout(reference, refusal);
  });
  const text = declarationsFor(await Promise.all(fetched));
  await writeOutput(text, values.output, terminal, { mode: 0o666, isKept: true });
  return EXIT.done;
};
