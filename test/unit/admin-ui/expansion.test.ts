import {
  expansionOf,
  promptIdOf,
  undeclaredIn,
} from '../../../admin-ui/src/features/prompts/editor/expansion.ts';
import type { Content } from '../../../contract/content/content.ts';
import type { Fragment } from '../../../contract/content/fragments.ts';
import { promptIdOf as promptIdInService } from '../../../lambdas/core/identifiers.ts';

const INCLUDE = 'shared/tone@1.2.0';
const TONE: Fragment = {
  prompt: 'Be {{tone}}, {{user}}.',
  variables: { tone: { type: 'string', default: 'kind' } },
};
const WRITTEN = { prompt: 'Hi {{user}}. {{> "shared/tone"}}', includes: [INCLUDE] };
const expand = (content: Content, found: Fragment | string) =>
  expansionOf(content, { fragments: [[INCLUDE, found]] });

test('a content has the texts of its fragments, and what they declare', () => {
  expect(expand(WRITTEN, TONE)).toMatchObject({
    expanded: {
      prompt: 'Hi {{user}}. Be {{tone}}, {{user}}.',
      variables: { tone: { type: 'string', default: 'kind' } },
    },
  });
});

test('a fragment that does not exist, or declares a variable differently, is a problem of the content', () => {
  const missing = 'There is no shared/tone@1.2.0.';
  const absent = expand(WRITTEN, missing);
  expect(absent).toMatchObject({ content: { prompt: WRITTEN.prompt }, problem: missing, refusal: missing });
  expect(absent.expanded).toBeUndefined();
  const other = { ...WRITTEN, variables: { tone: { type: 'integer' } } } as const;
  expect(expand(other, TONE).refusal).toContain('"tone" is declared differently');
});

test('a declaration counts as used if a fragment uses its variable', () => {
  const content = { ...WRITTEN, variables: { tone: { type: 'string' } } } as const;
  expect(expand(content, { prompt: '{{tone}}' }).refusal).toBeUndefined();
  const unused = { ...content, variables: { day: { type: 'string' } } } as const;
  expect(expand(unused, { prompt: '{{tone}}' }).refusal).toContain('"day" is declared');
});

test('fragments that are included without being declared are named', () => {
  expect(undeclaredIn(WRITTEN)).toEqual([]);
  expect(undeclaredIn({ prompt: WRITTEN.prompt })).toEqual(['shared/tone']);
});

test('the id of a prompt is derived as the service does it', async () => {
  for (const name of ['greeting', 'shared/tone', 'Grüße 👋'])
    expect(await promptIdOf(name)).toBe(promptIdInService(name));
});
