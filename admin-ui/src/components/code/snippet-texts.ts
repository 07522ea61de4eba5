/** Which version a snippet asks for: the latest, a fixed one, or the one of a label. */
export type Choice =
  | { readonly kind: 'latest' }
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'label'; readonly label: string };

export interface SnippetInput {
  readonly apiUrl: string;
  readonly name: string;
  readonly choice: Choice;
  /** Names of the variables. */
  readonly variables: readonly string[];
}

const quoted = (text: string): string => JSON.stringify(text);

const choiceFields = (choice: Choice): Record<string, string> => {
  if (choice.kind === 'latest') return {};
  return choice.kind === 'version' ? { version: choice.version } : { label: choice.label };
};

const values = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '…']));

/** A line for the shell. The name may contain any character, including single quotes. */
export const curlSnippet = ({ apiUrl, name, choice, variables }: SnippetInput): string => {
  const compiling = variables.length > 0 ? { shouldCompile: true, variables: values(variables) } : {};
  const body = JSON.stringify({ name, ...choiceFields(choice), ...compiling }, undefined, 2);
  return [
    `curl -s '${apiUrl}/api/prompt/get-compiled' \\`,
    `  -H "Authorization: Bearer $CUEVAULT_API_KEY" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", `'\\''`)}'`,
  ].join('\n');
};

/** A line for the shell that reads the secrets of a filter. Keys may contain any character, including single quotes. */
export const secretsCurl = (apiUrl: string, filter: { readonly key?: string }): string =>
  [
    `curl -s '${apiUrl}/api/vault/get-secrets' \\`,
    '  -H "Authorization: Bearer $CUEVAULT_API_KEY" \\',
    `  -d '${JSON.stringify(filter).replaceAll("'", `'\\''`)}'`,
  ].join('\n');

/** The options of a client, and those of its call: a label is the client's. */
const optionsFor = (choice: Choice) => ({
  client: choice.kind === 'label' ? [['label', quoted(choice.label)] as const] : [],
  call: choice.kind === 'version' ? [['version', quoted(choice.version)] as const] : [],
});

/** With the Python client. */
export const pythonSnippet = ({ name, choice, variables }: SnippetInput): string => {
  const options = optionsFor(choice);
  const settings = [...options.client, ['strict', 'True']]
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
  const given = options.call.map(([key, value]) => `    ${key}=${value},`);
  const filled = variables.map((variable) => `        ${quoted(variable)}: "…",`);
  return [
    'from cuevault import Cuevault',
    '',
    `cuevault = Cuevault(${settings})  # CUEVAULT_URL and CUEVAULT_API_KEY`,
    'prompt = cuevault.prompts.get(',
    `    ${quoted(name)},`,
    ...given,
    ...(filled.length > 0 ? ['    variables={', ...filled, '    },'] : []),
    ')',
    filled.length > 0 ? 'print(prompt.compiled_prompt)' : 'print(prompt.prompt)',
  ].join('\n');
};

/** With the TypeScript client. */
export const typescriptSnippet = ({ name, choice, variables }: SnippetInput): string => {
  const { client, call } = optionsFor(choice);
  const settings = [...client, ['strict', 'true']].map(([key, value]) => `${key}: ${value}`).join(', ');
  const given = call.map(([key, value]) => `  ${key}: ${value},`);
  const filled = variables.map((variable) => `    ${quoted(variable)}: '…',`);
  const options = [...given, ...(filled.length > 0 ? ['  variables: {', ...filled, '  },'] : [])];
  return [
    "import { Cuevault } from 'cuevault';",
    '',
    `const cuevault = new Cuevault({ ${settings} }); // CUEVAULT_URL and CUEVAULT_API_KEY`,
    ...(options.length > 0
      ? [`const prompt = await cuevault.prompts.get(${quoted(name)}, {`, ...options, '});']
      : [`const prompt = await cuevault.prompts.get(${quoted(name)});`]),
    filled.length > 0 ? 'console.log(prompt.compiledPrompt);' : 'console.log(prompt.prompt);',
  ].join('\n');
};
