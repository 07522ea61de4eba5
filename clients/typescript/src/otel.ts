// Spans of OpenTelemetry for a client. Needs @opentelemetry/api.
import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Cuevault, Prompt } from './index.ts';

// The semantic conventions for generative AI name these two.
const PROMPT_NAME = 'gen_ai.prompt.name';
const PROMPT_VERSION = 'gen_ai.prompt.version';
const SOURCE = 'cuevault.source';

export interface TelemetryOptions {
  /** @default the tracer `cuevault` of the global provider */
  readonly tracer?: Tracer | undefined;
}

const describe = (span: Span | undefined, { name, version }: Prompt): void => {
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
    },
  };
};
