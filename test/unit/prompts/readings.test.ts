import fc from 'fast-check';
import { substitute } from '../../../contract/content/templates.ts';
import { createReader } from '../../../lambdas/core/prompts/readings.ts';

const TEMPLATE = 'You answer customers of {{company}}.\nThe customer wrote: {{message}}';
const read = (text: string, template = TEMPLATE) => createReader(text)(template);
const valuesIn = (text: string, template?: string) =>
  read(text, template)?.values?.map(({ name, value }) => `${name}=${value}`);

test('a compiled text is read back, also with text around it, an empty value, and a placeholder that was left', () => {
  const compiled = 'You answer customers of Acme.\nThe customer wrote: Hi. And $& {{x}}';
  expect(valuesIn(compiled)).toEqual(['company=Acme', 'message=Hi. And $& {{x}}']);
  expect(valuesIn(`INFO prompt: ${compiled}`)).toEqual(['company=Acme', 'message=Hi. And $& {{x}}']);
  expect(valuesIn(substitute(TEMPLATE, new Map([['message', '']])))).toEqual([
    'company={{company}}',
    'message=',
  ]);
  expect(read('You are a helpful assistant.', 'You are a helpful assistant.')).toEqual({
    literal: 28,
    values: [],
  });
});

test('a text that can be read in several ways, or in which a variable has two values, is only similar', () => {
  const twice =
    'You answer customers of A.\nThe customer wrote: You answer customers of B.\nThe customer wrote: C';
  expect(read(twice)).toEqual({ literal: 44 });
  expect(read('A long enough beginning: 1and 2', 'A long enough beginning: {{a}}{{b}}')).toEqual({
    literal: 24,
  });
  const repeated = 'Dear {{name}}, the order of {{name}} is ready.';
  expect(valuesIn('Dear Ada, the order of Ada is ready.', repeated)).toEqual(['name=Ada']);
  expect(read('Dear Ada, the order of Bob is ready.', repeated)).toEqual({ literal: 27 });
});

test('nothing is read from parts in another order, from a part that is missing, or by a template of few characters', () => {
  expect(read('The customer wrote: Hi\nYou answer customers of Acme.')).toBeUndefined();
  expect(read('You answer customers of Acme.')).toBeUndefined();
  expect(read('Hello Ada, good morning', 'Hello {{name}}, good {{time}}')).toBeUndefined();
  expect(read('{{a}}'.repeat(20), '{{a}}'.repeat(20))).toBeUndefined();
});

test('values are cut, and at most 20 are named', () => {
  const names = Array.from({ length: 30 }, (_, n) => `v${n}`);
  const template = names.map((name, n) => `[part ${n}: {{${name}}}]`).join('');
  const text = substitute(template, new Map(names.map((name) => [name, 'x'.repeat(300)])));
  const values = read(text, template)?.values ?? [];
  expect([values.length, new Set(values.map(({ value }) => value.length))]).toEqual([20, new Set([200])]);
});

test('whatever compiles is read back: the values themselves, unless it is only similar', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(part, part, part, part, part, (first, a, between, b, last) => {
      const template = `${first}{{a}}${between}{{b}}${last}`;
      const reading = read(`${first}${a}${between}${b}${last}`, template);
      const literal = first.trim().length + between.trim().length + last.trim().length;
      expect(reading?.literal).toBe(literal < 20 ? undefined : literal);
      if (reading?.values)
        expect(reading.values).toEqual([
          { name: 'a', value: a },
          { name: 'b', value: b },
        ]);
    }),
    { numRuns: 2_000 },
  );
});
