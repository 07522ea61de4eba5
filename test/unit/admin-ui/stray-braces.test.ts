import { strayBracesOf } from '../../../admin-ui/src/features/prompts/editor/stray-braces.ts';

const textsOf = (template: string): string[] => strayBracesOf(template).map(({ text }) => text);

test('braces that are not placeholders are found at their positions', () => {
  expect(strayBracesOf('Hi {{ a b }}, {{user}}, {x}')).toEqual([
    { text: '{{ a b }}', at: 3, kind: 'other' },
    { text: '{x}', at: 24, kind: 'other' },
  ]);
  expect(
    strayBracesOf('{{#if x}}{{x}}{{else}}{{ else if y }}{{y}}{{ /if }}{{^z}} {{{x}}}').map(
      ({ text, kind }) => [text, kind],
    ),
  ).toEqual([
    ['{{#if x}}', 'block'],
    ['{{else}}', 'block'],
    ['{{ else if y }}', 'block'],
    ['{{ /if }}', 'block'],
    ['{{^z}}', 'block'],
    ['{{{x}}}', 'three'],
  ]);
  expect(textsOf('{{}} {{name} {größe}')).toEqual(['{{}}', '{name}', '{größe}']);
});

test('placeholders, fragments, JSON, code and lone braces are not found', () => {
  const json = ['{"a": {"b": 1}}', '{}', '{ x }', '{ a; }', '} {', '{1}'];
  for (const template of ['{{a}}{{ b }}', '{"a":{{b}}}', '{{> "shared/tone"}}', ...json])
    expect(textsOf(template)).toEqual([]);
});
