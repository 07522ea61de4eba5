import { UnavailableError } from '../errors.ts';
import type { JsonObject } from '../wire.ts';
import { compileTemplate, parseTemplate, type Strict, type Template } from './templates.ts';

/** Where a prompt came from: the service now, a recent copy, an old copy, the snapshot, or the caller's fallback. */
export type PromptSource = 'service' | 'cache' | 'stale' | 'snapshot' | 'fallback';

/** A prompt, its source, and its age in milliseconds. */
export interface Found {
  readonly stored: StoredPrompt;
  readonly source: PromptSource;
  readonly ageMs: number;
}

/** What to compile a prompt with. */
interface Compiling {
  readonly variables?: object | null | undefined;
  readonly strict?: Strict | undefined;
}

interface PromptFields {
  readonly promptId?: string | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly prompt: string;
}

/** A prompt as the cache holds it: frozen, its template parsed. */
export interface StoredPrompt extends PromptFields {
  readonly template: Template;
}

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
};

/** Parses and freezes a prompt, since callers share it. */
export const freeze = (fields: PromptFields): StoredPrompt => ({
  ...fields,
  tags: deepFreeze(fields.tags),
  metaProperties: deepFreeze(fields.metaProperties),
  template: parseTemplate(fields.prompt),
});

/** A prompt of the service or a snapshot. Errors: `invalid_reply`. */
export const storedPrompt = (res: object): StoredPrompt => {
  const { promptId, name, version, prompt, tags = [], metaProperties = {} } = res as JsonObject;
  if (typeof prompt !== 'string' || typeof version !== 'string') {
    throw new UnavailableError('The reply contains no prompt.', { code: 'invalid_reply', status: 200 });
  }
  return freeze({ promptId, name, version, prompt, tags, metaProperties } as PromptFields);
};

/** A prompt: the fields that the service returns, where they came from, and how to compile it. */
export class Prompt {
  /** Undefined for a fallback. */
  readonly promptId: string | undefined;
  readonly name: string | undefined;
  /** Undefined for a fallback. */
  readonly version: string | undefined;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  /** The template as it was stored, placeholders intact. */
  readonly prompt: string;
  /** The template with its placeholders replaced, when `variables` or `strict` were given. */
  readonly compiledPrompt: string | undefined;
  readonly source: PromptSource;
  /** Milliseconds since the service returned it. */
  readonly ageMs: number;
  /** Names of the placeholders, in order of first occurrence. */
  readonly variables: readonly string[];
  readonly #template: Template;
  readonly #strict: Strict;

  /** `defaultStrict` is what `compile` uses when a call gives no `strict`. */
  constructor(
    { stored, source, ageMs }: Found,
    { variables, strict }: Compiling,
    defaultStrict: Strict = false,
  ) {
    this.promptId = stored.promptId;
    this.name = stored.name;
    this.version = stored.version;
    this.tags = stored.tags;
    this.metaProperties = stored.metaProperties;
    this.prompt = stored.prompt;
    this.source = source;
    this.ageMs = ageMs;
    this.variables = stored.template.variables;
    this.#template = stored.template;
    this.#strict = defaultStrict;
    const wanted = strict || (variables ?? undefined) !== undefined;
    this.compiledPrompt = wanted ? this.compile(variables ?? {}, { strict }) : undefined;
  }

  /**
   * Compiles the template exactly as the service does, without a call. `strict` defaults to the client's.
   * Errors: MissingVariablesError and InvalidRequestError `unknown_variables` (with `strict`), InvalidRequestError (a
   * value that JSON cannot express).
   */
  compile(variables: object, { strict }: { readonly strict?: Strict | undefined } = {}): string {
    return compileTemplate(this.#template, variables, strict ?? this.#strict);
  }
}
