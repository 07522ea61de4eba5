import { compileTemplate, getPrompt, InvalidRequestError } from '../../../clients/typescript/src/index.ts';
import { fakeCuevault } from '../../../clients/typescript/src/testing.ts';
import { compileReply } from '../../../lambdas/core/prompts/templates.ts';
import { type Json, vectorsIn } from '../../support/vectors.ts';

const vectorsOf = (file: string) => vectorsIn(file).vectors;

test.each<Json>(vectorsOf('templates'))(
  'compiles as the service does: $title',
  ({ template, variables, compiled, missing }) => {
    expect(compileTemplate(template, variables)).toBe(compiled);
    const strict = () => compileTemplate(template, variables, { strict: true });
    if (missing.length === 0) expect(strict()).toBe(compiled);
    else {
      expect(strict).toThrow(InvalidRequestError);
      expect(strict).toThrow(expect.objectContaining({ code: 'missing_variables', variables: missing }));
    }
  },
);

test('JavaScript values are compiled as if they had been sent as JSON', () => {
  const when = new Date(0);
  class User {
    name = 'Ada';
    age = undefined;
  }
  const values = { when, none: undefined, zero: -0, list: [undefined, when], own: new User() };
  expect(compileTemplate('{{when}} {{none}} {{zero}} {{list}} {{own}}', values)).toBe(
    '1970-01-01T00:00:00.000Z {{none}} 0 [null,"1970-01-01T00:00:00.000Z"] {"name":"Ada"}',
  );
});

const circle: Record<string, unknown> = { secret: 'swordfish' };
circle.self = circle;
test.each<[what: string, value: unknown, reason?: string]>([
  ['an object that contains itself', circle, ''],
  ['a big integer', 10n, ' (BigInt)'],
  ['no number', Number.NaN, ' (Number)'],
  ['an infinite number', -Infinity, ' (Number)'],
  ['no date', new Date(Number.NaN), ' (Date)'],
  ['a function', () => 'swordfish', ' (Function)'],
  ['a symbol', Symbol('swordfish'), ' (Symbol)'],
  ['a promise', Promise.resolve('swordfish'), ' (Promise): await it'],
  // biome-ignore lint/suspicious/noThenProperty: queries of some libraries are such objects
  ['a query that runs when it is awaited', { then: () => 'swordfish', sql: 'x' }, ' (Object): await it'],
  ['a Map', new Map([['swordfish', 1]]), ' (Map)'],
  ['a Set', new Set(['swordfish']), ' (Set)'],
  ['bytes', new Uint8Array([1]), ' (Uint8Array)'],
  ['a pattern', /swordfish/, ' (RegExp)'],
  ['an error', new Error('swordfish'), ' (Error)'],
  ['an error with a code', Object.assign(new Error('swordfish'), { code: 'ENOENT' }), ' (Error)'],
])(
  '%s is refused with the name of the variable and its kind, however deep, and not its value',
  async (_what, value, reason) => {
    const message = `The variable "x" cannot be written as JSON${reason}.`;
    for (const x of [value, { deep: [value] }]) {
      expect(() => compileTemplate('{{x}}', { x })).toThrow(
        expect.objectContaining({ code: 'invalid_request', message }),
      );
      const { err } = await getPrompt({ name: 'a', shouldCompile: true, variables: { x } });
      expect(err).toBe(message);
    }
  },
);

test.each<Json>(vectorsOf('chat'))('client and service compile the same: $title', async (vector) => {
  const { messages, declarations: variables, values, placeholders, compiled, strict } = vector;
  const prompt = await fakeCuevault({ prompts: { chat: { versions: { '1.0.0': { messages, variables } } } } })
    .client()
    .prompts.get('chat');
  const compilable = { prompt: prompt.prompt, messages, variables };
  const service = (isStrict: boolean) =>
    compileReply(compilable, { shouldCompile: true, variables: values, strict: isStrict }).reply;
  expect(service(false).compiledMessages).toEqual(compiled);
  expect(prompt.compile(values)).toBe(service(false).compiledPrompt);
  expect(prompt.compileMessages(values, { placeholders })).toEqual(vector.inserted ?? compiled);
  const attempts = [() => service(true), () => prompt.compile(values, { strict: true })];
  for (const attempt of attempts) {
    if (strict === undefined) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: strict.code }));
    for (const text of strict?.names ?? []) expect(attempt).toThrow(text);
    if (strict?.without !== undefined) expect(attempt).not.toThrow(strict.without);
  }
});
