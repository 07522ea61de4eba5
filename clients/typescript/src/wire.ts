// The request bodies and results of the two endpoints.

/** Any JSON object in a reply. Requests accept any `object`, since an interface has no index signature. */
export type JsonObject = { readonly [name: string]: unknown };

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
}

export interface SecretsRequest {
  /** Only this secret. */
  readonly key?: string | undefined;
  /** Only secrets that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
}

/** Each secret: property name is its key, property value its value. */
export type SecretsResult = Readonly<Record<string, string>>;
