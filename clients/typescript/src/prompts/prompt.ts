import { substitute, substituteMessages, variablesIn } from '../../../../contract/content/templates.ts';
import { VERSION_PATTERN } from '../../../../contract/fields/patterns.ts';
import { invalidReply } from '../refusals.ts';
import {
  isObject,
  type JsonObject,
  type PromptMessage,
  type PromptRequest,
  type PromptResult,
  type PromptTool,
} from '../wire.ts';
import { checkedLists, inserted } from './chat.ts';
import { type Compilable, type Declarations, type Strict, textsFor } from './templates.ts';

/** Where a prompt came from: the service now, a recent copy, an old copy, or the caller's fallback. */
export type PromptSource = 'service' | 'cache' | 'stale' | 'fallback';

/** A prompt, its source, and its age in milliseconds. */
export interface Found {
  readonly stored: StoredPrompt;
  readonly source: PromptSource;
  readonly ageMs: number;
}

/** What to compile a prompt with. */
interface Compiling {
  readonly variables?: object | null | undefined;
  readonly placeholders?: object | undefined;
  readonly strict?: Strict | undefined;
}

type Includes = NonNullable<PromptResult['includes']>;

/** What the service says about a prompt. */
type PromptFields = Pick<
  Prompt,
  | ('promptId' | 'name' | 'version' | 'prompt' | 'messages' | 'model' | 'output')
  | ('tags' | 'metaProperties' | 'config' | 'tools' | 'includes' | 'declarations')
>;

/** A prompt as the cache holds it, frozen. */
export interface StoredPrompt extends Compilable {
  readonly fields: PromptFields;
}

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
};

type Result = { readonly [field in keyof PromptResult]?: PromptResult[field] | undefined };

/** Freezes a prompt, since callers share it. */
const freeze = (res: Result): StoredPrompt => {
  const { promptId, name, version, prompt = '', messages, model, output } = res;
  const { tags = [], metaProperties = {}, config = {}, tools = [], includes = [] } = res;
  const { variables: declarations = {} } = res;
  const content = messages === undefined ? { prompt } : { type: 'chat' as const, messages };
  const variables = deepFreeze(variablesIn(content));
  const identity = { promptId, name, version, prompt, tags, metaProperties };
  const fields = { ...identity, messages, model, output, config, tools, includes, declarations };
  return { fields: deepFreeze(fields), variables, declarations };
};

const isMessage = (value: unknown): boolean => {
  const { type, name, content } = (value ?? {}) as JsonObject;
  return typeof (type === 'placeholder' ? name : content) === 'string';
};

/** Checks that a reply has the prompt that was asked for. Errors: `invalid_reply`. */
export const checkAsked = (res: Result, { name, promptId, version }: PromptRequest): void => {
  const isOther = (asked: unknown, has: unknown) => typeof asked === 'string' && asked !== has;
  if (isOther(name, res.name) || isOther(promptId, res.promptId) || isOther(version, res.version))
    throw invalidReply('The reply has another prompt or version.');
};

/** A prompt of the service. Errors: `invalid_reply`. */
export const storedPrompt = (res: Result): StoredPrompt => {
  const { version, prompt, messages = [], variables = {} } = res;
  const isChat = Array.isArray(messages) && messages.every(isMessage);
  if (
    typeof prompt !== 'string' ||
    !VERSION_PATTERN.test(String(version)) ||
    !isChat ||
    !isObject(variables)
  ) {
    throw invalidReply('The reply contains no prompt.');
  }
  return freeze(res);
};

/** What answers when nothing else can: a template, or the messages of a chat. */
export const fallbackPrompt = (
  { promptId, name }: PromptRequest,
  fallback: string | readonly PromptMessage[],
): StoredPrompt =>
  typeof fallback === 'string'
    ? freeze({ promptId, name, prompt: fallback })
    : freeze({ promptId, name, prompt: JSON.stringify(fallback), messages: structuredClone(fallback) });

/** A prompt: the fields that the service returns, where they came from, and how to compile it. */
export class Prompt {
  /** Undefined for a fallback. */
  declare readonly promptId: string | undefined;
  declare readonly name: string | undefined;
  /** Undefined for a fallback. */
  declare readonly version: string | undefined;
  declare readonly tags: readonly string[];
  declare readonly metaProperties: JsonObject;
  /** The template as it was stored, placeholders intact; of a chat, the JSON text of its messages. */
  declare readonly prompt: string;
  /** The messages of a chat as they were stored; undefined for a text. */
  declare readonly messages: readonly PromptMessage[] | undefined;
  /** The model to call, if the prompt names one. */
  declare readonly model: string | undefined;
  /** Parameters for the model. */
  declare readonly config: JsonObject;
  /** What the model is to reply with. */
  declare readonly output: PromptResult['output'];
  /** The tools to offer to the model. */
  declare readonly tools: readonly PromptTool[];
  /** The fragments that the version includes; `prompt` has their text. */
  declare readonly includes: Includes;
  /** What the author says about variables, by name. */
  declare readonly declarations: Declarations;
  /**
   * The template with its placeholders replaced, when `variables`, `placeholders` or `strict` were given; of a chat, the
   * JSON text of its messages, in which placeholders for messages stay as they are.
   */
  readonly compiledPrompt: string | undefined;
  /** The compiled messages of a chat, with the lists of messages inserted; set when `compiledPrompt` is. */
  readonly compiledMessages: readonly JsonObject[] | undefined;
  readonly source: PromptSource;
  /** Milliseconds since the service returned it. */
  readonly ageMs: number;
  /** Names of the placeholders for values, in order of first occurrence. */
  readonly variables: readonly string[];
  readonly #stored: StoredPrompt;
  readonly #strict: Strict;

  /** `defaultStrict` is what `compile` uses when a call gives no `strict`. */
  constructor(
    { stored, source, ageMs }: Found,
    { variables, placeholders, strict }: Compiling,
    defaultStrict: Strict = false,
  ) {
    Object.assign(this, stored.fields);
    this.source = source;
    this.ageMs = ageMs;
    this.variables = stored.variables;
    this.#stored = stored;
    this.#strict = defaultStrict;
    const wanted = strict || placeholders !== undefined || (variables ?? undefined) !== undefined;
    const { text, messages } = wanted ? this.#compile(variables ?? {}, strict, placeholders ?? {}) : {};
    this.compiledPrompt = text;
    this.compiledMessages = messages;
  }

  /**
   * Compiles the template exactly as the service does, without a call; a chat gives the JSON text of its messages.
   * `strict` defaults to the client's. Errors: MissingVariablesError and InvalidRequestError `invalid_variables` and
   * `unknown_variables` (with `strict`), InvalidRequestError (a value that JSON cannot express).
   */
  compile(variables: object, { strict }: { readonly strict?: Strict | undefined } = {}): string {
    return this.#compile(variables, strict).text;
  }

  /**
   * Compiles the messages of a chat and inserts the lists in `placeholders` as they are, without a call. Undefined for a
   * text. Errors: those of `compile`; InvalidRequestError `missing_placeholders`, and for a list with an unknown name.
   */
  compileMessages(
    variables: object,
    { placeholders = {}, strict }: Pick<Compiling, 'placeholders' | 'strict'> = {},
  ): readonly JsonObject[] | undefined {
    return this.#compile(variables, strict, placeholders).messages;
  }

  #compile(variables: object, strict?: Strict, placeholders?: object) {
    const { messages } = this;
    // A template as fallback has none of the placeholders of the chat that it replaces.
    const isStandIn = messages === undefined && this.source === 'fallback';
    const lists = checkedLists(messages ?? [], isStandIn ? {} : (placeholders ?? {}));
    const texts = textsFor(this.#stored, variables, strict ?? this.#strict);
    if (messages === undefined) return { text: substitute(this.prompt, texts) };
    const compiled = substituteMessages(messages, texts);
    return { text: JSON.stringify(compiled), messages: placeholders && inserted(compiled, lists) };
  }
}
