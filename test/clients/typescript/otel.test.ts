import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { instrument } from '../../../clients/typescript/src/otel.ts';
import { fakeCuevault } from '../../../clients/typescript/src/testing.ts';

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer('test');

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterAll(() => context.disable());

test('each call creates a client span, and the surrounding span gets the prompt name and version', async () => {
  const { client } = fakeCuevault({
    prompts: { greeting: 'Hello {{user}}!' },
    secrets: { TOKEN: 'swordfish' },
  });
  const cuevault = instrument(client, { tracer });
  await tracer.startActiveSpan('chat', async (chat) => {
    await cuevault.prompts.get('greeting', { variables: { user: 'Ada' } });
    await cuevault.secrets.get('TOKEN');
    await cuevault.secrets.get('NONE').catch(() => undefined);
    chat.end();
  });
  const spans = exporter.getFinishedSpans().map(({ name, kind, attributes, status, parentSpanContext }) => {
    return { name, kind, attributes, status, isRoot: parentSpanContext === undefined };
  });
  const prompt = { 'gen_ai.prompt.name': 'greeting', 'gen_ai.prompt.version': '1.0.0' };
  const unset = { code: SpanStatusCode.UNSET };
  const child = { kind: SpanKind.CLIENT, isRoot: false };
  expect(spans).toEqual([
    {
      ...child,
      name: 'cuevault prompts.get',
      attributes: { ...prompt, 'cuevault.source': 'service' },
      status: unset,
    },
    { ...child, name: 'cuevault secrets.get', attributes: {}, status: unset },
    {
      ...child,
      name: 'cuevault secrets.get',
      attributes: { 'error.type': 'NotFoundError' },
      status: { code: SpanStatusCode.ERROR },
    },
    { name: 'chat', kind: SpanKind.INTERNAL, attributes: prompt, status: unset, isRoot: true },
  ]);
  expect(trace.getActiveSpan()).toBeUndefined();
});
