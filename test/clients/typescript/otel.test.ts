import { createHash } from 'node:crypto';
import { OpenTelemetry } from '@ai-sdk/otel';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { toAISDK } from '../../../clients/typescript/src/adapters.ts';
import { instrument, PromptSpanProcessor, withPrompt } from '../../../clients/typescript/src/otel.ts';
import { fakeCuevault } from '../../../clients/typescript/src/testing.ts';

const hashOf = (template: string) => createHash('sha256').update(template).digest('hex');

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new PromptSpanProcessor(), new SimpleSpanProcessor(exporter)],
}).getTracer('test');

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterAll(() => context.disable());

test('each call creates a client span, and the surrounding span gets name, version and hash of the prompt', async () => {
  const { client } = fakeCuevault({
    prompts: { greeting: 'Hello {{user}}!' },
    secrets: { TOKEN: 'swordfish' },
  });
  const cuevault = instrument(client(), { tracer });
  await tracer.startActiveSpan('chat', async (chat) => {
    await cuevault.prompts.get('greeting', { variables: { user: 'Ada' } });
    await cuevault.secrets.get('TOKEN');
    await cuevault.secrets.get('NONE').catch(() => undefined);
    chat.end();
  });
  const spans = exporter.getFinishedSpans().map(({ name, kind, attributes, status, parentSpanContext }) => {
    return { name, kind, attributes, status, isRoot: parentSpanContext === undefined };
  });
  const prompt = {
    'gen_ai.prompt.name': 'greeting',
    'gen_ai.prompt.version': '1.0.0',
    'cuevault.prompt.hash': hashOf('Hello {{user}}!'),
  };
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

test('spans of model calls within withPrompt get name, version and hash of the innermost prompt, others nothing', async () => {
  exporter.reset();
  const chat = (attributes: object, late = {}) => {
    const span = tracer.startSpan('chat', { attributes: { ...attributes } });
    span.setAttributes(late);
    span.end();
  };
  const operation = { 'gen_ai.operation.name': 'chat' };
  await withPrompt({ name: 'greeting', version: '1.0.0', prompt: 'Hi' }, async () => {
    await Promise.resolve();
    chat(operation);
    withPrompt({ name: 'other', version: '2.0.0' }, () => chat({}, operation));
    chat({});
  });
  chat(operation);
  expect(exporter.getFinishedSpans().map(({ attributes }) => attributes)).toEqual([
    {
      ...operation,
      'gen_ai.prompt.name': 'greeting',
      'gen_ai.prompt.version': '1.0.0',
      'cuevault.prompt.hash': hashOf('Hi'),
    },
    { ...operation, 'gen_ai.prompt.name': 'other', 'gen_ai.prompt.version': '2.0.0' },
    {},
    operation,
  ]);
});

test('every span that the instrumentation of the AI SDK makes of a model call gets name, version and hash', async () => {
  exporter.reset();
  const { client } = fakeCuevault({ prompts: { greeting: 'Say hello.' } });
  const prompt = await client().prompts.get('greeting', { variables: {} });
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Hello!' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: {}, outputTokens: {} } as never,
      warnings: [],
    },
  });
  const telemetry = { integrations: [new OpenTelemetry({ tracer })] };
  await withPrompt(prompt, () => generateText({ model, ...toAISDK(prompt), telemetry }));
  const spans = exporter.getFinishedSpans().map(({ attributes }) => attributes);
  expect(spans.map((attributes) => attributes['gen_ai.operation.name'])).toContain('chat');
  for (const attributes of spans)
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': expect.any(String),
      'gen_ai.prompt.name': 'greeting',
      'gen_ai.prompt.version': '1.0.0',
      'cuevault.prompt.hash': hashOf('Say hello.'),
    });
});
