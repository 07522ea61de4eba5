// The request bodies and results of the two endpoints.

/** Any JSON object in a reply. Requests accept any `object`, since an interface has no index signature. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a value is an object of names and values. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own property of an object with this name, undefined without one. */
export const ownValue = <Value>(
  values: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);

/** The envelope of every reply: `err` is null on success; on failure it is a message and `res` is null. */
export type Envelope<Result> =
  | { readonly err: null; readonly res: Result }
  | { readonly err: string; readonly res: null };

/** Which prompt, and what to do with it. Exactly one of `name` and `promptId`; at most one of `version` and `label`. */
export interface PromptRequest {
  readonly name?: string | undefined;
  readonly promptId?: string | undefined;
  /** MAJOR.MINOR.PATCH; the latest when left out. */
  readonly version?: string | undefined;
  /** A moving pointer such as `production`. */
  readonly label?: string | undefined;
  readonly shouldCompile?: boolean | undefined;
  readonly variables?: object | undefined;
  /** Fail with `missing_variables` if a placeholder has no value. */
  readonly strict?: boolean | undefined;
  /** Stored with this call in the prompt's access history. */
  readonly metaProperties?: object | undefined;
}

export interface PromptResult {
  readonly promptId: string;
  readonly name: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  /** The template as stored, with its placeholders. */
  readonly prompt: string;
  /** The template with its placeholders replaced; only on request. */
  readonly compiledPrompt?: string | undefined;
  /** Only for a chat. `prompt` and `compiledPrompt` are then the JSON text of the messages. */
  readonly type?: 'chat' | undefined;
  /** The messages of a chat. */
  readonly messages?: readonly PromptMessage[] | undefined;
  /** The messages with the placeholders in their contents replaced; only on request. */
  readonly compiledMessages?: readonly PromptMessage[] | undefined;
  /** Declarations of variables, by name. */
  readonly variables?: { readonly [name: string]: VariableDeclaration } | undefined;
  /** The model to call. */
  readonly model?: string | undefined;
  /** Parameters for the model. */
  readonly config?: JsonObject | undefined;
  /** What the model is to reply with. */
  readonly output?: { readonly schema?: JsonObject | undefined } | undefined;
  /** The tools to offer to the model. */
  readonly tools?: readonly PromptTool[] | undefined;
  /** The fragments that the version includes; `prompt` has them expanded. */
  readonly includes?:
    | readonly { readonly name: string; readonly version: string; readonly contentHash: string }[]
    | undefined;
}

/** A message, or a placeholder for a list of messages that the application has. */
export type PromptMessage =
  | { readonly role: 'system' | 'developer' | 'user' | 'assistant'; readonly content: string }
  | {
      readonly type: 'placeholder';
      readonly name: string;
      /** Whether the list may be omitted. */
      readonly optional?: boolean | undefined;
    };

/** What the author of a prompt says about a variable. One without a default is required. */
export interface VariableDeclaration {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
}

/** A tool to offer to a model. */
export interface PromptTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** A JSON schema of the tool's input. */
  readonly inputSchema?: JsonObject | undefined;
}

export interface SecretsRequest {
  /** Only this secret. */
  readonly key?: string | undefined;
  /** Only secrets that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
}

/** Each secret: property name is its key, property value its value. */
export type SecretsResult = Readonly<Record<string, string>>;
