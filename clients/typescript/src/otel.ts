// Spans of OpenTelemetry for a client. Needs @opentelemetry/api.
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Cuevault, Prompt } from './index.ts';
import { builtin } from './platform.ts';

// The semantic conventions for generative AI name these two.
const PROMPT_NAME = 'gen_ai.prompt.name';
const PROMPT_VERSION = 'gen_ai.prompt.version';
const PROMPT_HASH = 'cuevault.prompt.hash';
const SOURCE = 'cuevault.source';

export interface TelemetryOptions {
  /** @default the tracer `cuevault` of the global provider */
  readonly tracer?: Tracer | undefined;
}

/** What instrumentations of model calls set on their spans. */
const OPERATION = 'gen_ai.operation.name';

type Named = Pick<Prompt, 'name' | 'version'> & Partial<Pick<Prompt, 'prompt'>>;

/** SHA-256 of a template: one that was not published, such as a fallback, has no version. */
const hashOf = (template: string): string | undefined =>
  builtin<typeof import('node:crypto')>('node:crypto')?.createHash('sha256').update(template).digest('hex');

const describe = (span: Span | undefined, { name, version, prompt }: Named): void => {
  const hash = prompt === undefined ? undefined : hashOf(prompt);
  const known = { [PROMPT_NAME]: name, [PROMPT_VERSION]: version, [PROMPT_HASH]: hash };
  for (const [key, value] of Object.entries(known)) if (value !== undefined) span?.setAttribute(key, value);
};

/**
 * The same client with a span for each call. The span that is active around `prompts.get`, such as that of a model call,
 * gets name, version and hash of the prompt too. No span contains a variable or the value of a secret.
 */
export const instrument = (
  client: Pick<Cuevault, 'prompts' | 'secrets'>,
  { tracer = trace.getTracer('cuevault') }: TelemetryOptions = {},
): Pick<Cuevault, 'prompts' | 'secrets'> => {
  const within = <Result>(name: string, call: (span: Span) => Promise<Result>): Promise<Result> =>
    tracer.startActiveSpan(`cuevault ${name}`, { kind: SpanKind.CLIENT }, async (span) => {
      try {
        return await call(span);
      } catch (error) {
        // Not the message: an error of a callback could contain anything.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });

  const get = (...args: Parameters<typeof client.prompts.get>): Promise<Prompt> => {
    const active = trace.getActiveSpan();
    return within('prompts.get', async (span) => {
      const prompt = await client.prompts.get(...args);
      describe(span, prompt);
      describe(active, prompt);
      span.setAttribute(SOURCE, prompt.source);
      return prompt;
    });
  };
  return {
    prompts: { get: get as Cuevault['prompts']['get'] },
    secrets: {
      get: (key, options) => within('secrets.get', () => client.secrets.get(key, options)),
      all: (options) => within('secrets.all', () => client.secrets.all(options)),
      apply: (options) => within('secrets.apply', () => client.secrets.apply(options)),
    },
  };
};

const KEY = createContextKey('cuevault prompt');

/** The result of `call`. Spans of model calls in it get name, version and hash of the prompt, if `PromptSpanProcessor` is in use. */
export const withPrompt = <Result>(prompt: Named, call: () => Result): Result =>
  context.with(context.active().setValue(KEY, prompt), call);

/** Puts name, version and hash of a prompt on each span with `gen_ai.operation.name` that begins within `withPrompt`. */
export class PromptSpanProcessor {
  readonly #prompts = new WeakMap<object, Named>();

  onStart(span: Span & { readonly attributes: Attributes }, parent: Context): void {
    const prompt = parent.getValue(KEY) as Named | undefined;
    if (prompt !== undefined) this.#prompts.set(span, prompt);
    this.onEnding(span);
  }

  /** Some instrumentations set the attribute only after the start. */
  onEnding(span: Span & { readonly attributes: Attributes }): void {
    const prompt = this.#prompts.get(span);
    if (prompt !== undefined && span.attributes[OPERATION] !== undefined) describe(span, prompt);
  }

  onEnd(): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
