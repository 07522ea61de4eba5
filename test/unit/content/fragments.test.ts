import fc from 'fast-check';
import { contentProblem } from '../../../contract/content/check.ts';
import type { Content, VariableDeclaration } from '../../../contract/content/content.ts';
import { expandContent, type Fragment } from '../../../contract/content/fragments.ts';
import { anyText } from '../../support/random.ts';

const of = (content: Content, fragments: Record<string, Fragment> = {}): Content => {
  const expanded = expandContent(content, new Map(Object.entries(fragments)));
  if ('problem' in expanded) throw new Error(expanded.problem);
  return expanded.expansion;
};

const HOSTILE = ['{{> "a"}}', '{{>"a"}}', '{{> a}}', '{{>', '"}}', '{{a}}', '$&', '{{> "b" }}'];
const hostile = fc.constantFrom(...HOSTILE);
const template = fc.array(fc.oneof(hostile, anyText)).map((parts) => parts.join(''));

test('a template without declared fragments is never changed', () => {
  fc.assert(
    fc.property(template, (prompt) => {
      expect(of({ prompt })).toEqual({ prompt });
      const messages = [{ role: 'user' as const, content: prompt }];
      expect(of({ type: 'chat', messages })).toEqual({ type: 'chat', messages });
    }),
  );
});

test('what a fragment contains is inserted as it is, and never expanded again', () => {
  fc.assert(
    fc.property(template, template, template, (before, fragment, after) => {
      const [start, end] = [before, after].map((each) => each.replaceAll('{{', '').replaceAll('}}', ''));
      const marked = { prompt: `${start} {{> "a"}} ${end}`, includes: ['a@1.0.0'] };
      expect(of(marked, { a: { prompt: fragment } })).toEqual({ prompt: `${start} ${fragment} ${end}` });
    }),
  );
});

describe('declarations', () => {
  const declaring = (name: string, declaration: VariableDeclaration) => ({ [name]: declaration });
  const prompt = '{{> "a"}}';
  const tone = declaring('tone', { type: 'string', default: 'friendly' });

  test('those of fragments join those of the content, which may declare what only a fragment uses', () => {
    const content = { prompt, includes: ['a@1.0.0'], variables: declaring('user', { type: 'string' }) };
    expect(contentProblem(content)).toBeUndefined();
    const expansion = of(content, { a: { prompt: '{{tone}} {{user}}', variables: tone } });
    expect(expansion.variables).toEqual({ ...content.variables, ...tone });
    expect(contentProblem(content, expansion)).toBeUndefined();
    expect(contentProblem(content, of(content, { a: { prompt: '{{tone}}', variables: tone } }))).toContain(
      'The variable "user" is declared, but nothing uses it',
    );
  });

  test('equal names need equal declarations, in whatever order their fields are', () => {
    const content = { prompt, variables: declaring('tone', { default: 'friendly', type: 'string' }) };
    expect(of(content, { a: { prompt: '{{tone}}', variables: tone } }).variables).toEqual(tone);
    const other = { prompt: '{{tone}}', variables: declaring('tone', { type: 'string' }) };
    expect(() => of(content, { a: other })).toThrow('"tone" is declared differently');
  });
});

test('a declared fragment that nothing includes is refused by name', () => {
  const content = { prompt: '{{> "a"}} {{> b}}', includes: ['a@1.0.0', 'b@1.0.0'] };
  expect(contentProblem(content)).toContain('"b@1.0.0", but nothing includes it');
});

test('the size is limited before anything is built, and includes source and expansion', () => {
  const many = { prompt: '{{> "a"}}'.repeat(20_000), includes: ['a@1.0.0'] };
  const large = new Map([['a', { prompt: 'x'.repeat(250_000) }]]);
  expect(expandContent(many, large)).toMatchObject({ problem: expect.stringContaining('307200 bytes') });
  const twice = { prompt: `{{> "a"}}${'y'.repeat(40_000)}`, includes: ['a@1.0.0'] };
  expect(contentProblem(twice, of(twice, { a: { prompt: 'x'.repeat(250_000) } }))).toContain('307200 bytes');
});
