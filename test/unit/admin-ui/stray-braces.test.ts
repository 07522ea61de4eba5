import { strayBracesOf } from '../../../admin-ui/src/features/prompts/editor/template/stray-braces.ts';

const textsOf = (template: string): string[] => strayBracesOf(template).map(({ text }) => text);

test('braces that are not placeholders are found at their positions', () => {
  expect(strayBracesOf('Hi {{ a b }}, {{user}}, {x}')).toEqual([
    { text: '{{ a b }}', at: 3 },
    { text: '{x}', at: 24 },
  ]);
  expect(textsOf('{{}} {{name} {größe}')).toEqual(['{{}}', '{name}', '{größe}']);
});

test('placeholders, fragments, JSON, code and lone braces are not found', () => {
  const json = ['{"a": {"b": 1}}', '{}', '{ x }', '{ a; }', '} {', '{1}'];
  for (const template of ['{{a}}{{ b }}', '{{{a}}}', '{{> "shared/tone"}}', ...json])
    expect(textsOf(template)).toEqual([]);
});
