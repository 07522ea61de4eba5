import fc from 'fast-check';
import { LIMITS } from '../../../contract/limits.ts';
import { compile } from '../../../contract/templates.ts';
import { compileReply } from '../../../lambdas/core/prompts/templates.ts';

const fields = {
  promptId: 'prm_1',
  name: 'näme "1"',
  version: '1.0.0',
  tags: ['a\n'],
  metaProperties: { a: 1 },
};

const awkward = fc.string({
  unit: fc.constantFrom(
    '\n',
    '"',
    '\\',
    '\u0001',
    '\u007f',
    'é',
    '日',
    '😀',
    'a',
    '{{x}}',
    '{{ y }}',
    '{{z}}',
  ),
});

const FILLER = 'f'.repeat(61_000);

test('the error states the exact size that the reply would have had', () => {
  fc.assert(
    fc.property(awkward, awkward, fc.jsonValue(), (text, x, y) => {
      const prompt = text + '{{filler}}'.repeat(100);
      const compiledPrompt = compile(prompt, { x, y, filler: '' }).text;
      const body = JSON.stringify({ err: null, res: { prompt, compiledPrompt } });
      const bytes = Buffer.byteLength(JSON.stringify(body)) + 100 * FILLER.length;
      const variables = { x, y, filler: FILLER };
      expect(() => compileReply({ prompt }, { shouldCompile: true, variables })).toThrow(
        `take ${bytes} bytes`,
      );
    }),
  );
});

test.each(['\n', '"', '\u0001', '😀'])('the limit of the reply is exact: %j', (unit) => {
  const withUnits = (count: number) => ({
    fields: { ...fields, prompt: '{{x}}' },
    variables: { x: unit.repeat(count) },
  });
  const sizeOf = (count: number) => {
    const { text } = compile('{{x}}', withUnits(count).variables);
    const res = { ...fields, prompt: '{{x}}', compiledPrompt: text };
    return Buffer.byteLength(JSON.stringify(JSON.stringify({ err: null, res })));
  };
  const most = Math.floor((LIMITS.replyBytes - sizeOf(0)) / (sizeOf(1) - sizeOf(0)));
  expect(sizeOf(most)).toBeLessThanOrEqual(LIMITS.replyBytes);
  expect(sizeOf(most + 1)).toBeGreaterThan(LIMITS.replyBytes);
  const fits = withUnits(most);
  expect(compileReply(fits.fields, { shouldCompile: true, variables: fits.variables }).compiledPrompt).toBe(
    fits.variables.x,
  );
  const over = withUnits(most + 1);
  expect(() => compileReply(over.fields, { shouldCompile: true, variables: over.variables })).toThrow(
    expect.objectContaining({ code: 'reply_too_large' }),
  );
});

test('a reply that would be too large is rejected before it is built', () => {
  // 20,000 times 900,000 characters: 18 GB, more than any string or machine of ours holds.
  const prompt = '{{x}}'.repeat(20_000);
  expect(() =>
    compileReply({ prompt }, { shouldCompile: true, variables: { x: 'y'.repeat(900_000) } }),
  ).toThrow(expect.objectContaining({ code: 'reply_too_large' }));
});

test('without shouldCompile the fields are returned unchanged', () => {
  const reply = compileReply({ ...fields, prompt: '{{x}}' }, { variables: { x: '1' }, strict: true });
  expect(reply).toEqual({ ...fields, prompt: '{{x}}' });
  expect('compiledPrompt' in reply).toBe(false);
});

test('strict names every missing variable', () => {
  expect(() =>
    compileReply(
      { prompt: '{{b}} {{a}} {{c}} {{b}}' },
      { shouldCompile: true, strict: true, variables: { a: 1 } },
    ),
  ).toThrow(
    expect.objectContaining({ code: 'missing_variables', message: expect.stringContaining('"b", "c"') }),
  );
});

test('strict succeeds if every placeholder has a value', () => {
  const reply = compileReply(
    { prompt: '{{a}}' },
    { shouldCompile: true, strict: true, variables: { a: false } },
  );
  expect(reply).toEqual({ prompt: '{{a}}', compiledPrompt: 'false' });
});
