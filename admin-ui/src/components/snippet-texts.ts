import { requiredPlaceholders } from '../../../contract/content/breaking.ts';
import type { Content, VariableDeclaration, VariableType } from '../../../contract/content/content.ts';
import { variablesIn } from '../../../contract/content/templates.ts';
import { declared } from '../../../contract/content/variables.ts';

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

const HOLE = /«(\w+)»/g;

/** Fills the holes `«name»` of a template: a line with a list is repeated for each of its texts. */
const fill = (template: string, holes: Readonly<Record<string, readonly string[] | string>>): string =>
  template
    .split('\n')
    .flatMap((line) => {
      const listed = [...line.matchAll(HOLE)].flatMap(([, name = '']) => {
        const value = holes[name];
        return typeof value === 'object' ? [value] : [];
      });
      return (listed[0] ?? ['']).map((text) =>
        line.replace(HOLE, (_, name: string) => {
          const value = holes[name];
          return typeof value === 'string' ? value : text;
        }),
      );
    })
    .join('\n');

const CURL = `curl -s '«url»' \\
  -H "Authorization: Bearer $CUEVAULT_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '«body»'`;

const curlOf = (url: string, body: string): string =>
  fill(CURL, { url, body: body.replaceAll("'", `'\\''`) });

/** A line for the shell. */
export const curlSnippet = ({ apiUrl, name, choice, variables, chat }: SnippetInput): string => {
  const { kind, ...asked } = choice;
  const compiling =
    variables.length > 0 || chat ? { shouldCompile: true, variables: Object.fromEntries(variables) } : {};
  const body = JSON.stringify({ name, ...asked, ...compiling }, undefined, 2);
  return curlOf(`${apiUrl}/api/prompt/get-compiled`, body);
};

/** A line for the shell that reads the secrets of a filter. */
export const secretsCurl = (apiUrl: string, filter: { readonly key?: string }): string =>
  curlOf(`${apiUrl}/api/vault/get-secrets`, JSON.stringify(filter));

/** A line for the shell that lists prompts. */
export const promptsCurl = (apiUrl: string): string => curlOf(`${apiUrl}/api/prompt/list`, '{}');

const pythonOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, each]) => `${quoted(name)}: ${pythonOf(each)}`)
      .join(', ')}}`;
  const json = JSON.stringify(value);
  return { null: 'None', true: 'True', false: 'False' }[json] ?? json;
};

const PYTHON = {
  indent: '    ',
  is: '=',
  literal: pythonOf,
  template: `from cuevault import Cuevault
«imports»

cuevault = Cuevault(«settings»)  # CUEVAULT_URL and CUEVAULT_API_KEY
prompt = cuevault.prompts.get(
    «name»,
    «options»
)
«use»`,
  imports: {
    openai: ['from openai import OpenAI', 'from cuevault.adapters import to_openai'],
    anthropic: ['from anthropic import Anthropic', 'from cuevault.adapters import to_anthropic'],
    'ai-sdk': [] as string[],
  },
  use: {
    openai: 'reply = OpenAI().chat.completions.create(**to_openai(prompt«extra»))',
    anthropic: 'reply = Anthropic().messages.create(**to_anthropic(prompt«extra»))',
    // There is none in Python.
    'ai-sdk': 'print(prompt.compiled_messages)',
    compiled: 'print(prompt.compiled_prompt)',
    plain: 'print(prompt.prompt)',
  },
};

const TYPESCRIPT: typeof PYTHON = {
  indent: '  ',
  is: ': ',
  literal: (value) => JSON.stringify(value),
  template: `import { Cuevault } from 'cuevault';
«imports»

const cuevault = new Cuevault({ «settings» }); // CUEVAULT_URL and CUEVAULT_API_KEY
const prompt = await cuevault.prompts.get(«name», {
  «options»
});
«use»`,
  imports: {
    openai: ["import { toOpenAI } from 'cuevault/adapters';", "import OpenAI from 'openai';"],
    anthropic: [
      "import { toAnthropic } from 'cuevault/adapters';",
      "import Anthropic from '@anthropic-ai/sdk';",
    ],
    'ai-sdk': ["import { toAISDK } from 'cuevault/adapters';", "import { generateText } from 'ai';"],
  },
  use: {
    openai: 'const reply = await new OpenAI().chat.completions.create(toOpenAI(prompt«extra»));',
    anthropic: 'const reply = await new Anthropic().messages.create(toAnthropic(prompt«extra»));',
    'ai-sdk': 'const reply = await generateText({ ...toAISDK(prompt), model: "your-model" });',
    compiled: 'console.log(prompt.compiledPrompt);',
    plain: 'console.log(prompt.prompt);',
  },
};

const snippet =
  (language: typeof PYTHON) =>
  ({ name, choice, variables, chat }: SnippetInput): string => {
    const { indent, is, literal } = language;
    const field = (key: string, value: unknown) => `${key}${is}${literal(value)}`;
    const map = (key: string, entries: readonly (readonly [string, unknown])[]) => [
      `${key}${is}{`,
      ...entries.map(([each, value]) => `${indent}${quoted(each)}: ${literal(value)},`),
      '},',
    ];
    const lists = (chat?.placeholders ?? []).map((list) => [list, []] as const);
    const options = [
      ...(choice.kind === 'version' ? [`${field('version', choice.version)},`] : []),
      ...(variables.length > 0 ? map('variables', variables) : chat ? [`${field('variables', {})},`] : []),
      ...(lists.length > 0 ? map('placeholders', lists) : []),
    ];
    // What the request lacks.
    const added = [
      ...(chat?.hasModel === false ? [field('model', 'your-model')] : []),
      ...(chat?.library === 'anthropic' && !chat.hasLimit ? [field('max_tokens', 1024)] : []),
    ].join(', ');
    const extra = language === PYTHON ? `, ${added}` : `, { ${added} }`;
    const { template } = language;
    return fill(options.length > 0 ? template : template.replace(', {\n  «options»\n}', ''), {
      name: quoted(name),
      settings: [
        ...(choice.kind === 'label' ? [field('label', choice.label)] : []),
        field('strict', true),
      ].join(', '),
      imports: chat ? language.imports[chat.library] : [],
      options,
      use: fill(language.use[chat?.library ?? (variables.length > 0 ? 'compiled' : 'plain')], {
        extra: added === '' ? '' : extra,
      }),
    });
  };

export const pythonSnippet = snippet(PYTHON);

export const typescriptSnippet = snippet(TYPESCRIPT);
