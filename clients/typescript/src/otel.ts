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

// The semantic conventions for generative AI name these two.
const PROMPT_NAME = 'gen_ai.prompt.name';
const PROMPT_VERSION = 'gen_ai.prompt.version';
const SOURCE = 'cuevault.source';

export interface TelemetryOptions {
  /** @default the tracer `cuevault` of the global provider */
  readonly tracer?: Tracer | undefined;
}

/** What instrumentations of model calls set on their spans. */
const OPERATION = 'gen_ai.operation.name';

type Named = Pick<Prompt, 'name' | 'version'>;

const describe = (span: Span | undefined, { name, version }: Named): void => {
  if (name !== undefined) span?.setAttribute(PROMPT_NAME, name);
  if (version !== undefined) span?.setAttribute(PROMPT_VERSION, version);
};

/**
 * The same client with a span for each call. The span that is active around `prompts.get`, such as that of a model call,
 * gets name and version of the prompt too. No span contains a variable or the value of a secret.
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

/** The result of `call`. Spans of model calls in it get name and version of the prompt, if `PromptSpanProcessor` is in use. */
export const withPrompt = <Result>(prompt: Named, call: () => Result): Result =>
  context.with(context.active().setValue(KEY, prompt), call);

/** Puts name and version of a prompt on each span with `gen_ai.operation.name` that begins within `withPrompt`. */
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
