import fc from 'fast-check';
import { contentProblem } from '../../../contract/content/check.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { compileReply } from '../../../lambdas/core/prompts/templates.ts';
import { compile } from '../../support/compile.ts';

const fields = {
  promptId: 'prm_1',
  name: 'näme "1"',
  version: '1.0.0',
  tags: ['a\n'],
  metaProperties: { a: 1 },
};

const CHARACTERS = ['\n', '"', '\\', '\u0001', '\u007f', 'é', '日', '😀', 'a'];
const awkward = fc.string({ unit: fc.constantFrom(...CHARACTERS, '{{x}}', '{{ y }}', '{{z}}') });

// Each takes a byte in the content and seven in the reply, which is JSON inside JSON.
const FILLER = '\u0001'.repeat(10_000);

/** The size of the reply: it has the other fields, too. */
const bytesOf = (prompt: string, compiledPrompt: string): number =>
  Buffer.byteLength(
    JSON.stringify(JSON.stringify({ err: null, res: { ...fields, prompt, compiledPrompt } })),
  );
const replyWith = (prompt: string, variables: JsonObject) =>
  compileReply({ ...fields, prompt }, { shouldCompile: true, variables }).reply;

test('the error states the exact size that the reply would have had', () => {
  fc.assert(
    fc.property(awkward, awkward, fc.jsonValue(), (text, x, y) => {
      const prompt = text + '{{filler}}'.repeat(100);
      const bytes = bytesOf(prompt, compile(prompt, { x, y, filler: '' }).text) + 7 * 100 * FILLER.length;
      expect(() => replyWith(prompt, { x, y, filler: FILLER })).toThrow(`take ${bytes} bytes`);
    }),
  );
});

test('the limit of the reply is exact', () => {
  const x = (count: number) => '\u0001'.repeat(count);
  const most = Math.floor((LIMITS.replyBytes - bytesOf('{{x}}', '')) / 7);
  expect(replyWith('{{x}}', { x: x(most) }).compiledPrompt).toHaveLength(most);
  expect(() => replyWith('{{x}}', { x: x(most + 1) })).toThrow(
    `The reply with the compiled prompt would take ${bytesOf('{{x}}', x(most + 1))} bytes; the limit is 6000000.`,
  );
});

test('a reply that would be too large is rejected before it is built', () => {
  // 20,000 times 900,000 characters: 18 GB, more than any string or machine of ours holds.
  const prompt = '{{x}}'.repeat(20_000);
  expect(() => replyWith(prompt, { x: 'y'.repeat(900_000) })).toThrow(
    expect.objectContaining({ code: 'reply_too_large' }),
  );
});

test('the limit of the compiled prompt is exact, in bytes of UTF-8', () => {
  const most = LIMITS.compiledBytes;
  const compiled = (count: number) =>
    replyWith(`${'{{x}}'.repeat(1_023)}{{y}}`, { x: 'é'.repeat(512), y: 'y'.repeat(count) });
  expect(Buffer.byteLength(compiled(1_024).compiledPrompt ?? '')).toBe(most);
  expect(() => compiled(1_025)).toThrow(
    `The compiled prompt would take ${most + 1} bytes; the limit is ${most}. Send shorter values,`,
  );
});

test.each(['\u0001', '"', '\n', 'é'])('whatever can be published compiles without variables: %j', (unit) => {
  const fill = (bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  const declared = (length: number) => ({ x: { type: 'string', default: fill(length) } }) as const;
  const publishable = [
    { type: 'text', prompt: fill(LIMITS.templateBytes) },
    { type: 'text', prompt: '{{x}}'.repeat(100), variables: declared(3_000) },
    {
      type: 'chat',
      messages: [{ role: 'user', content: '{{x}}'.repeat(100) }],
      variables: declared(3_000),
    },
  ] as const;
  for (const content of publishable) {
    const whole = { tags: [], metaProperties: {}, note: '', ...content };
    expect(contentProblem(whole)).toBeUndefined();
    const stored = { prompt: JSON.stringify('messages' in content ? content.messages : ''), ...whole };
    const reply = compileReply(stored, { shouldCompile: true });
    const body = JSON.stringify({ err: null, res: reply });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(LIMITS.replyBytes);
  }
  const tooLong = { type: 'text', prompt: '{{x}}'.repeat(100), variables: declared(4_000) } as const;
  expect(contentProblem({ tags: [], metaProperties: {}, ...tooLong })).toMatch(
    /^Compiled with the defaults of its variables, the content has \d+ bytes; the limit is 307200\./,
  );
});
