import { requiredPlaceholders } from '../../../../contract/content/breaking.ts';
import type { Content, VariableDeclaration, VariableType } from '../../../../contract/content/content.ts';
import { declared } from '../../../../contract/content/variables.ts';
import { variablesIn } from '../../../../contract/templates.ts';

/** Which version a snippet asks for: the latest, a fixed one, or the one of a label. */
export type Choice =
  | { readonly kind: 'latest' }
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'label'; readonly label: string };

export interface SnippetInput {
  readonly apiUrl: string;
  readonly name: string;
  readonly choice: Choice;
  /** The variables, each with a value to begin with. */
  readonly variables: readonly (readonly [name: string, value: unknown])[];
  /** What a chat has beyond a text; absent for a text. */
  readonly chat?: ChatInput;
}

/** The libraries that the clients have adapters for. */
export type Library = 'openai' | 'anthropic' | 'ai-sdk';

export interface ChatInput {
  /** Names of the lists of messages. */
  readonly placeholders: readonly string[];
  readonly library: Library;
  readonly hasModel: boolean;
  /** Whether its configuration limits the output, which Anthropic demands. */
  readonly hasLimit: boolean;
}

const FIRST: Readonly<Record<VariableType, unknown>> = {
  string: '…',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** A value that a strict compile accepts. */
const valueFor = ({ type, enum: allowed, ...rest }: VariableDeclaration = { type: 'string' }): unknown =>
  rest.default ?? allowed?.[0] ?? FIRST[type];

/** What a snippet needs of the content that it fetches. */
export const inputOf = (
  content: Content,
  library: Library = 'openai',
): Pick<SnippetInput, 'variables' | 'chat'> => ({
  variables: variablesIn(content).map((name) => [name, valueFor(declared(content.variables, name))]),
  ...(content.type === 'chat' && {
    chat: {
      placeholders: requiredPlaceholders(content),
      library,
      hasModel: content.model !== undefined,
      hasLimit: content.config?.maxOutputTokens !== undefined,
    },
  }),
});

const quoted = (text: string): string => JSON.stringify(text);

const choiceFields = (choice: Choice): Record<string, string> => {
  if (choice.kind === 'latest') return {};
  return choice.kind === 'version' ? { version: choice.version } : { label: choice.label };
};

const curlOf = (url: string, body: string): string =>
  [
    `curl -s '${url}' \\`,
    '  -H "Authorization: Bearer $CUEVAULT_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", `'\\''`)}'`,
  ].join('\n');

/** A line for the shell. The name may contain any character, including single quotes. */
export const curlSnippet = ({ apiUrl, name, choice, variables, chat }: SnippetInput): string => {
  const compiling =
    variables.length > 0 || chat ? { shouldCompile: true, variables: Object.fromEntries(variables) } : {};
  const body = JSON.stringify({ name, ...choiceFields(choice), ...compiling }, undefined, 2);
  return curlOf(`${apiUrl}/api/prompt/get-compiled`, body);
};

/** A line for the shell that reads the secrets of a filter. Keys may contain any character, including single quotes. */
export const secretsCurl = (apiUrl: string, filter: { readonly key?: string }): string =>
  curlOf(`${apiUrl}/api/vault/get-secrets`, JSON.stringify(filter));

/** A line for the shell that lists prompts. */
export const promptsCurl = (apiUrl: string): string => curlOf(`${apiUrl}/api/prompt/list`, '{}');

/** The options of a client, and those of its call: a label is the client's. */
const optionsFor = (choice: Choice) => ({
  client: choice.kind === 'label' ? [['label', quoted(choice.label)] as const] : [],
  call: choice.kind === 'version' ? [['version', quoted(choice.version)] as const] : [],
});

const MODEL = 'your-model';
const MOST_TOKENS = '1024';

/** What the request lacks: the fields that callers add. */
const overrides = ({ library, hasModel, hasLimit }: ChatInput): [name: string, value: string][] => [
  ...(hasModel ? [] : [['model', quoted(MODEL)] as [string, string]]),
  ...(library === 'anthropic' && !hasLimit ? [['max_tokens', MOST_TOKENS] as [string, string]] : []),
];

/** The lines that call a library, by the language of the client. */
const PYTHON = {
  openai: [
    'from cuevault.adapters import to_openai',
    'from openai import OpenAI',
    'OpenAI().chat.completions.create(**to_openai',
  ],
  anthropic: [
    'from cuevault.adapters import to_anthropic',
    'from anthropic import Anthropic',
    'Anthropic().messages.create(**to_anthropic',
  ],
} as const;

const TYPESCRIPT = {
  openai: ['toOpenAI', "import OpenAI from 'openai';", 'new OpenAI().chat.completions.create(toOpenAI'],
  anthropic: [
    'toAnthropic',
    "import Anthropic from '@anthropic-ai/sdk';",
    'new Anthropic().messages.create(toAnthropic',
  ],
} as const;

const typescriptCall = (chat: ChatInput): string[] => {
  if (chat.library === 'ai-sdk')
    return [`const reply = await generateText({ ...toAISDK(prompt), model: ${quoted(MODEL)} });`];
  const extra = overrides(chat).map(([name, value]) => `${name}: ${value}`);
  const call = TYPESCRIPT[chat.library][2];
  return [`const reply = await ${call}(prompt${extra.length > 0 ? `, { ${extra.join(', ')} }` : ''}));`];
};

const typescriptImports = ({ library }: ChatInput): string[] =>
  library === 'ai-sdk'
    ? ["import { toAISDK } from 'cuevault/adapters';", "import { generateText } from 'ai';"]
    : [`import { ${TYPESCRIPT[library][0]} } from 'cuevault/adapters';`, TYPESCRIPT[library][1]];

/** With the Python client; undefined for a library that there is none of in Python. */
const pythonChat = (chat: ChatInput) => {
  if (chat.library === 'ai-sdk') return undefined;
  const [adapter, library, call] = PYTHON[chat.library];
  const extra = overrides(chat).map(([name, value]) => `, ${name}=${value}`);
  return { imports: [library, adapter], call: `reply = ${call}(prompt${extra.join('')}))` };
};

const pythonOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${quoted(name)}: ${pythonOf(each)}`)
      .join(', ')}}`;
  const json = JSON.stringify(value);
  return { null: 'None', true: 'True', false: 'False' }[json] ?? json;
};

export const pythonSnippet = ({ name, choice, variables, chat }: SnippetInput): string => {
  const called = chat && pythonChat(chat);
  const lists = (chat?.placeholders ?? []).map((list) => `        ${quoted(list)}: [],`);
  const options = optionsFor(choice);
  const settings = [...options.client, ['strict', 'True']]
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
  const given = options.call.map(([key, value]) => `    ${key}=${value},`);
  const filled = variables.map(([variable, value]) => `        ${quoted(variable)}: ${pythonOf(value)},`);
  return [
    'from cuevault import Cuevault',
    ...(called?.imports ?? []),
    '',
    `cuevault = Cuevault(${settings})  # CUEVAULT_URL and CUEVAULT_API_KEY`,
    'prompt = cuevault.prompts.get(',
    `    ${quoted(name)},`,
    ...given,
    ...(filled.length > 0 ? ['    variables={', ...filled, '    },'] : chat ? ['    variables={},'] : []),
    ...(lists.length > 0 ? ['    placeholders={', ...lists, '    },'] : []),
    ')',
    called?.call ??
      `print(prompt.${chat ? 'compiled_messages' : filled.length > 0 ? 'compiled_prompt' : 'prompt'})`,
  ].join('\n');
};

export const typescriptSnippet = ({ name, choice, variables, chat }: SnippetInput): string => {
  const lists = (chat?.placeholders ?? []).map((list) => `    ${quoted(list)}: [],`);
  const { client, call } = optionsFor(choice);
  const settings = [...client, ['strict', 'true']].map(([key, value]) => `${key}: ${value}`).join(', ');
  const given = call.map(([key, value]) => `  ${key}: ${value},`);
  const filled = variables.map(([variable, value]) => `    ${quoted(variable)}: ${JSON.stringify(value)},`);
  const options = [
    ...given,
    ...(filled.length > 0 ? ['  variables: {', ...filled, '  },'] : chat ? ['  variables: {},'] : []),
    ...(lists.length > 0 ? ['  placeholders: {', ...lists, '  },'] : []),
  ];
  return [
    "import { Cuevault } from 'cuevault';",
    ...(chat ? typescriptImports(chat) : []),
    '',
    `const cuevault = new Cuevault({ ${settings} }); // CUEVAULT_URL and CUEVAULT_API_KEY`,
    ...(options.length > 0
      ? [`const prompt = await cuevault.prompts.get(${quoted(name)}, {`, ...options, '});']
      : [`const prompt = await cuevault.prompts.get(${quoted(name)});`]),
    ...(chat
      ? typescriptCall(chat)
      : [filled.length > 0 ? 'console.log(prompt.compiledPrompt);' : 'console.log(prompt.prompt);']),
  ].join('\n');
};
