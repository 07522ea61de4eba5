import { draftsSave, versionsPublish } from '../../../contract/endpoints/versions.ts';
import { validate } from '../../../lambdas/http/input.ts';

const user = { role: 'user', content: 'Hello' };
const publish = (content: object) => validate(versionsPublish.body, { bump: 'minor', ...content });

test.each<[object, string]>([
  [{}, '"prompt" is required. Send "type": "chat" for a prompt with messages.'],
  [{ type: 'chat' }, '"messages" is required.'],
  [{ type: 'chat', prompt: 'x', messages: [user] }, 'A chat prompt has "messages", not "prompt".'],
  [{ prompt: 'x', messages: [user] }, 'A text prompt has "prompt", not "messages".'],
  [{ type: 'chat', messages: [] }, '"messages" must not be empty.'],
  [{ type: 'chat', messages: Array(101).fill(user) }, '"messages" must have at most 100 entries.'],
  [{ type: 'chat', messages: [user, { role: 'tool', content: 'x' }] }, '"messages[1]" must be {"role": …'],
  [{ type: 'chat', messages: [{ ...user, content: '' }] }, '"messages[0].content" must not be empty.'],
  [{ type: 'chat', messages: [{ ...user, name: 'x' }] }, '"name" is not a field of "messages.0"'],
  [{ type: 'chat', messages: [{ type: 'placeholder', name: 'a b' }] }, '"messages[0].name" must not contain'],
  [{ prompt: 'x', variables: [] }, '"variables" must be an object.'],
  [{ prompt: '{{a}}', variables: { a: { type: 'text' } } }, '"variables.a.type" must be one of "string"'],
  [
    { prompt: '{{a}}', variables: { a: { type: 'string', enum: [] } } },
    '"variables.a.enum" must not be empty.',
  ],
  [{ prompt: '{{a}}', variables: { a: { type: 'string', dflt: 'x' } } }, '"dflt" is not a field'],
  [
    JSON.parse('{"prompt":"x","variables":{"__proto__":{"type":"string"}}}'),
    'variable "__proto__" is declared',
  ],
  [{ prompt: 'x', output: { format: 'json' } }, '"format" is not a field of "output".'],
  [{ prompt: 'x', tools: [{ description: 'x' }] }, '"tools[0].name" is required'],
  [{ prompt: 'x', tools: [{ name: 'a' }, { name: 'a' }] }, 'named "a"'],
  [{ prompt: 'x', config: { seed: 2 ** 53 } }, '"config.seed" must be an integer from'],
])('a content is refused with what is wrong with it: %j', (content, sentence) => {
  expect(() => publish(content)).toThrow(sentence);
});

test('free objects are accepted as they are, with any fields of their own', () => {
  const content = JSON.parse(
    '{"prompt":"{{__proto__}}","variables":{"__proto__":{"type":"object","default":{"__proto__":1}}},"config":{"__proto__":1,"n":null},"output":{"schema":{"type":"object"}},"tools":[{"name":"t","inputSchema":{"a":null}}],"metaProperties":{"tag":null,"nested":{"any":[null]}}}',
  );
  expect(JSON.stringify(publish(content))).toBe(JSON.stringify({ ...content, bump: 'minor' }));
});

test('a draft may be unfinished, but not have two types', () => {
  const draft = {
    type: 'chat',
    messages: [{ role: 'user', content: '' }],
    variables: { a: { type: 'string' } },
  };
  expect(validate(draftsSave.body, draft)).toEqual(draft);
  expect(() => validate(draftsSave.body, { ...draft, prompt: '' })).toThrow('A chat prompt has "messages"');
});
