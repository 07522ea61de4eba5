// From a compiled prompt to the request of a provider's SDK: pure functions without dependencies.
import { isInstruction } from '../../../contract/content/content.ts';
import { invalidCall } from './refusals.ts';
import { type JsonObject, ownValue, type PromptMessage, type PromptTool } from './wire.ts';

/** What the adapters read of a prompt: one that `prompts.get` returned with `variables` or `placeholders`. */
export interface CompiledChat {
  readonly compiledPrompt?: string | undefined;
  readonly messages?: readonly PromptMessage[] | undefined;
  readonly compiledMessages?: readonly object[] | undefined;
  readonly model?: string | undefined;
  readonly config?: JsonObject | undefined;
  readonly output?: { readonly schema?: JsonObject | undefined } | undefined;
  readonly tools?: readonly PromptTool[] | undefined;
}

/** A message of the template. */
type Message<Roles extends string> = { [Role in Roles]: { role: Role; content: string } }[Roles];

type JsonSchema = { [name: string]: unknown };

const isPlaceholder = (message: object): boolean => 'type' in message && message.type === 'placeholder';

/** The messages of a prompt; a text is one message of the user. Errors: `invalid_request` if it is not compiled. */
const messagesOf = ({ messages, compiledMessages, compiledPrompt }: CompiledChat): object[] => {
  const text = compiledPrompt === undefined ? undefined : [{ role: 'user', content: compiledPrompt }];
  const compiled = messages === undefined ? text : compiledMessages;
  if (compiled === undefined) {
    throw invalidCall('The prompt is not compiled: pass "variables" or "placeholders" to prompts.get.');
  }
  if (!compiled.some(isPlaceholder)) return [...compiled];
  throw invalidCall('The prompt has placeholders for messages that were not inserted: use prompts.get.');
};

interface Parts {
  /** Contents of the system messages with which the template begins. */
  readonly system: string[];
  readonly rest: object[];
}

/**
 * The messages of a prompt for a provider that takes system messages apart. Those in a list that the application inserted
 * are never among them: its content may come from users. Errors: `invalid_request` for a system message elsewhere.
 */
const partsOf = (prompt: CompiledChat, provider: string): Parts => {
  const all = messagesOf(prompt);
  const { messages = [] } = prompt;
  const other = messages.findIndex((message) => !isInstruction(message));
  const count = other < 0 ? messages.length : other;
  const rest = all.slice(count);
  if (rest.some(isInstruction)) {
    throw invalidCall(`${provider} takes system messages only at the beginning of the template.`);
  }
  return { system: all.slice(0, count).map((message) => (message as { content: string }).content), rest };
};

/** What else of a prompt's configuration may become part of a request. */
export interface AdapterOptions {
  /** Fields of `config` that the application accepts although they are not parameters of sampling or reasoning. */
  readonly allow?: readonly string[] | undefined;
}

// They decide where a request goes, with which credentials, and what else the model can reach.
const TRANSPORT =
  'extra_headers extra_body extra_query headers base_url baseURL api_base api_key apiKey timeout mcp_servers fetch'.split(
    ' ',
  );

/** Parameters of sampling and reasoning that a provider has, and its names for those of Cuevault. */
interface Parameters {
  readonly passed: readonly string[];
  readonly renamed?: { readonly [name: string]: string };
}

/** A copy of what passes of the configuration, with the provider's names. Errors: `invalid_request` for `allow`. */
const configOf = (
  { config = {} }: CompiledChat,
  { passed, renamed = {} }: Parameters,
  { allow = [] }: AdapterOptions,
): JsonSchema => {
  const never = allow.find((name) => TRANSPORT.includes(name));
  if (never !== undefined)
    throw invalidCall(`"allow" cannot name ${never}: it would let the prompt decide where the request goes.`);
  const entries = Object.entries(config).map(
    ([name, value]) => [ownValue(renamed, name) ?? name, value, allow.includes(name)] as const,
  );
  return structuredClone(
    Object.fromEntries(
      entries.flatMap(([name, value, isAllowed]) =>
        isAllowed || passed.includes(name) ? [[name, value]] : [],
      ),
    ),
  );
};

const copyOf = (schema: JsonObject): JsonSchema => structuredClone(schema) as JsonSchema;

/** The model's name without the provider in front. Errors: `invalid_request` without one. */
const modelOf = (model: string | undefined, provider: string): string => {
  if (model === undefined) throw invalidCall('The prompt names no model: pass it, as in { model: "…" }.');
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
};

const mapTools = <Tool>({ tools = [] }: CompiledChat, toTool: (tool: PromptTool) => Tool) =>
  tools.length === 0 ? {} : { tools: tools.map(toTool) };

const described = ({ description }: PromptTool) => (description === undefined ? {} : { description });

export interface OpenAITool {
  type: 'function';
  function: { name: string; description?: string; parameters?: JsonSchema };
}

/** A request for `openai.chat.completions.create`. */
export interface OpenAIRequest<History = never> {
  model: string;
  messages: (Message<'system' | 'developer' | 'user' | 'assistant'> | History)[];
  temperature?: number;
  top_p?: number;
  max_completion_tokens?: number;
  stop?: string[];
  tools?: OpenAITool[];
  response_format?: { type: 'json_schema'; json_schema: { name: string; schema: JsonSchema } };
}

// https://platform.openai.com/docs/api-reference/chat/create
const OPENAI = {
  passed: [
    ...['temperature', 'top_p', 'max_completion_tokens', 'max_tokens', 'stop', 'seed', 'frequency_penalty'],
    ...['presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'reasoning_effort', 'verbosity'],
  ],
  renamed: { topP: 'top_p', maxOutputTokens: 'max_completion_tokens', stopSequences: 'stop' },
};

const openAITool = (tool: PromptTool): OpenAITool => {
  const { name, inputSchema } = tool;
  const parameters = inputSchema === undefined ? {} : { parameters: copyOf(inputSchema) };
  return { type: 'function', function: { name, ...described(tool), ...parameters } };
};

/**
 * The request for OpenAI's chat completions. `History` is the type of the messages that the application inserted. Of the
 * prompt's `config`, only parameters of sampling and reasoning pass.
 * @param overrides - Fields that replace those of the prompt, such as `model`.
 * Errors: `invalid_request` for a prompt that is not compiled or names no model, and for a system or developer message in
 * a list that the application inserted.
 */
export const toOpenAI = <History = never>(
  prompt: CompiledChat,
  overrides: Partial<OpenAIRequest<History>> = {},
  options: AdapterOptions = {},
): OpenAIRequest<History> => {
  const messages = messagesOf(prompt);
  if (messages.filter(isInstruction).length > (prompt.messages ?? []).filter(isInstruction).length)
    throw invalidCall('A list of inserted messages contains a system or developer message.');
  const schema = prompt.output?.schema;
  const format = (json: JsonObject) => ({ name: 'output', schema: copyOf(json) });
  return {
    ...configOf(prompt, OPENAI, options),
    ...mapTools(prompt, openAITool),
    ...(schema && { response_format: { type: 'json_schema', json_schema: format(schema) } }),
    messages: messages as OpenAIRequest<History>['messages'],
    ...overrides,
    model: modelOf(overrides.model ?? prompt.model, 'openai'),
  };
};

export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [name: string]: unknown };
}

/** A request for `anthropic.messages.create`. */
export interface AnthropicRequest<History = never> {
  model: string;
  max_tokens: number;
  system?: { type: 'text'; text: string }[];
  messages: (Message<'user' | 'assistant'> | History)[];
  temperature?: number;
  top_p?: number;
  stop_sequences?: string[];
  tools?: AnthropicTool[];
  output_config?: {
    effort?: 'low' | 'medium' | 'high';
    format?: { type: 'json_schema'; schema: JsonSchema };
  };
}

// https://platform.claude.com/docs/en/api/messages; of "output_config", only "effort" passes.
const ANTHROPIC = {
  passed: ['temperature', 'top_p', 'top_k', 'max_tokens', 'stop_sequences', 'thinking'],
  renamed: { topP: 'top_p', topK: 'top_k', maxOutputTokens: 'max_tokens', stopSequences: 'stop_sequences' },
};

const anthropicTool = (tool: PromptTool): AnthropicTool => ({
  name: tool.name,
  ...described(tool),
  input_schema: { type: 'object', ...copyOf(tool.inputSchema ?? {}) },
});

/**
 * The request for Anthropic's messages, with the leading system messages in `system`. `History` is the type of the
 * messages that the application inserted.
 * @param overrides - Fields that replace those of the prompt, such as `model` and `max_tokens`.
 * Errors: `invalid_request` for a prompt that is not compiled, names no model, or has no `maxOutputTokens`; for a system
 * message that is empty or not at the beginning of the template.
 */
export const toAnthropic = <History = never>(
  prompt: CompiledChat,
  overrides: Partial<AnthropicRequest<History>> = {},
  options: AdapterOptions = {},
): AnthropicRequest<History> => {
  const { system, rest } = partsOf(prompt, 'Anthropic');
  if (system.some((text) => text.trim() === ''))
    throw invalidCall('Anthropic takes no empty system message.');
  const config = configOf(prompt, ANTHROPIC, options);
  const { effort } = (prompt.config?.output_config ?? {}) as Pick<
    NonNullable<AnthropicRequest['output_config']>,
    'effort'
  >;
  const schema = prompt.output?.schema;
  const format = (json: JsonObject) => ({ format: { type: 'json_schema' as const, schema: copyOf(json) } });
  const { max_tokens = config.max_tokens } = overrides;
  if (typeof max_tokens !== 'number') {
    throw invalidCall('Anthropic needs maxOutputTokens in the config of the prompt, or { max_tokens }.');
  }
  return {
    ...config,
    ...mapTools(prompt, anthropicTool),
    ...((schema || effort !== undefined) && {
      output_config: { ...(effort !== undefined && { effort }), ...(schema && format(schema)) },
    }),
    ...(system.length > 0 && { system: system.map((text) => ({ type: 'text', text }) as const) }),
    messages: rest as AnthropicRequest<History>['messages'],
    ...overrides,
    max_tokens,
    model: modelOf(overrides.model ?? prompt.model, 'anthropic'),
  };
};

/** A JSON schema as a Standard Schema (https://standardschema.dev) that accepts every value. */
export interface AISDKSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

export interface AISDKTool {
  description?: string;
  inputSchema: AISDKSchema;
}

/** Options for the `generateText` and `streamText` of the AI SDK, beside `model`. */
export interface AISDKRequest<History = never> {
  instructions?: Message<'system'>[];
  messages: (Message<'user' | 'assistant'> | History)[];
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  tools?: { [name: string]: AISDKTool };
}

// https://ai-sdk.dev/docs/ai-sdk-core/settings
const AI_SDK = {
  passed: [
    ...['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'presencePenalty'],
    ...['frequencyPenalty', 'seed', 'reasoning'],
  ],
};

/** A JSON schema for the AI SDK: `Output.object({ schema: aiSchema(prompt.output.schema) })`. */
export const aiSchema = (schema: JsonObject): AISDKSchema => {
  // The SDK changes what it gets.
  const copy = () => copyOf(schema);
  const validate = (value: unknown) => ({ value });
  return {
    '~standard': { version: 1, vendor: 'cuevault', validate, jsonSchema: { input: copy, output: copy } },
  };
};

/**
 * The options for the AI SDK, version 7 or later, with the leading system messages as `instructions`. `History` is the
 * type of the messages that the application inserted. The output's schema is not part of them; see `aiSchema`.
 * Errors: `invalid_request` for a prompt that is not compiled, and for a system message that is not at the beginning of the
 * template.
 */
export const toAISDK = <History = never>(
  prompt: CompiledChat,
  options: AdapterOptions = {},
): AISDKRequest<History> => {
  const { system, rest } = partsOf(prompt, 'The AI SDK');
  const { tools = [] } = prompt;
  const byName = tools.map((tool) => {
    const inputSchema = aiSchema(tool.inputSchema ?? { type: 'object', properties: {} });
    return [tool.name, { ...described(tool), inputSchema }] as const;
  });
  return {
    ...configOf(prompt, AI_SDK, options),
    ...(tools.length > 0 && { tools: Object.fromEntries(byName) }),
    ...(system.length > 0 && {
      instructions: system.map((content) => ({ role: 'system', content }) as const),
    }),
    messages: rest as AISDKRequest<History>['messages'],
  };
};
