// The request bodies and results of the two endpoints. What the service has too is the contract's, whose files a build
// takes in.
import type { ContentFields, Message } from '../../../contract/content/content.ts';
import type { JsonObject } from '../../../contract/fields/patterns.ts';

export type {
  Message as PromptMessage,
  Tool as PromptTool,
  VariableDeclaration,
} from '../../../contract/content/content.ts';
export { isObject, type JsonObject } from '../../../contract/fields/patterns.ts';
export type { Envelope } from '../../../contract/http/errors.ts';

/** Names for a sentence. */
export const quoted = (names: Iterable<string>): string =>
  Array.from(names, (name) => JSON.stringify(name)).join(', ');

/** Orders versions: below 0 if `a` is lower. */
export const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The own property of an object with this name, undefined without one. */
export const ownValue = <Value>(
  values: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);

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

export interface PromptResult
  extends Pick<ContentFields, 'variables' | 'model' | 'config' | 'output' | 'tools'> {
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
  readonly messages?: readonly Message[] | undefined;
  /** The messages with the placeholders in their contents replaced; only on request. */
  readonly compiledMessages?: readonly Message[] | undefined;
  /** The fragments that the version includes; `prompt` has them expanded. */
  readonly includes?:
    | readonly { readonly name: string; readonly version: string; readonly contentHash: string }[]
    | undefined;
}

export interface SecretsRequest {
  /** Only this secret. */
  readonly key?: string | undefined;
  /** The environment whose secrets are meant. @default `default` */
  readonly environment?: string | undefined;
  /** Only secrets that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
}

/** Each secret: property name is its key, property value its value. */
export type SecretsResult = Readonly<Record<string, string>>;
