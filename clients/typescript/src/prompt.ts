import { UnavailableError } from './errors.ts';
import { compileTemplate, parseTemplate, type Template } from './templates.ts';
import type { JsonObject } from './wire.ts';

/** Where a prompt came from: the service now, a young copy, an old copy, or the caller's own fallback. */
export type PromptSource = 'service' | 'cache' | 'stale' | 'fallback';

interface PromptFields {
  readonly promptId?: string | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly prompt: string;
}

/** A prompt as the cache holds it: nobody can change it, and its template is taken apart. */
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

/** Takes a prompt apart and makes it unchangeable, since callers share it. */
export const freeze = (fields: PromptFields): StoredPrompt => ({
  ...fields,
  tags: deepFreeze(fields.tags),
  metaProperties: deepFreeze(fields.metaProperties),
  template: parseTemplate(fields.prompt),
});

/** What the service returned. Errors: `invalid_reply`. */
export const storedPrompt = (res: Record<string, unknown>): StoredPrompt => {
  const { promptId, name, version, prompt, tags = [], metaProperties = {} } = res;
  if (typeof prompt !== 'string' || typeof version !== 'string') {
    throw new UnavailableError('The reply holds no prompt.', { code: 'invalid_reply', status: 200 });
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
  readonly #template: Template;

  constructor(
    stored: StoredPrompt,
    source: PromptSource,
    ageMs: number,
    variables?: object | null,
    strict?: boolean,
  ) {
    this.promptId = stored.promptId;
    this.name = stored.name;
    this.version = stored.version;
    this.tags = stored.tags;
    this.metaProperties = stored.metaProperties;
    this.prompt = stored.prompt;
    this.source = source;
    this.ageMs = ageMs;
    this.#template = stored.template;
    const wanted = strict === true || (variables ?? undefined) !== undefined;
    this.compiledPrompt = wanted ? this.compile(variables ?? {}, { strict }) : undefined;
  }

  /**
   * Compiles the template exactly as the service does, without a call.
   * Errors: MissingVariablesError (with `strict`), InvalidRequestError (a value that JSON cannot hold).
   */
  compile(variables: object, { strict }: { readonly strict?: boolean | undefined } = {}): string {
    return compileTemplate(this.#template, variables, strict);
  }
}
