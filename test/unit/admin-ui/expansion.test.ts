import {
  expandedProblem,
  expansionOf,
  type FoundFragment,
  promptIdOf,
  undeclaredIn,
} from '../../../admin-ui/src/features/prompts/editor/expansion.ts';
import { promptIdOf as promptIdInService } from '../../../lambdas/core/identifiers.ts';

const TONE: FoundFragment = {
  ...{ include: 'shared/tone@1.2.0', name: 'shared/tone' },
  fragment: {
    prompt: 'Be {{tone}}, {{user}}.',
    variables: { tone: { type: 'string', default: 'kind' } },
  },
};
const WRITTEN = { prompt: 'Hi {{user}}. {{> "shared/tone"}}', includes: [TONE.include] };
const KNOWN = { isPending: false };

test('a content has the texts of its fragments, and what they declare', () => {
  expect(expansionOf(WRITTEN, [TONE])).toMatchObject({
    content: {
      prompt: 'Hi {{user}}. Be {{tone}}, {{user}}.',
      variables: { tone: { type: 'string', default: 'kind' } },
    },
  });
});

test('a fragment that does not exist, or declares a variable differently, is a problem of the content', () => {
  const missing = { include: TONE.include, name: TONE.name, problem: 'There is no shared/tone@1.2.0.' };
  const absent = { ...expansionOf(WRITTEN, [missing]), ...KNOWN };
  expect(absent.content).toMatchObject({ prompt: WRITTEN.prompt });
  expect(expandedProblem(WRITTEN, absent)).toBe(missing.problem);
  const other = { ...WRITTEN, variables: { tone: { type: 'integer' } } } as const;
  const conflicting = { ...expansionOf(other, [TONE]), ...KNOWN };
  expect(expandedProblem(other, conflicting)).toContain('"tone" is declared differently');
});

test('a declaration counts as used if a fragment uses its variable', () => {
  const bare = { ...TONE, fragment: { prompt: '{{tone}}' } };
  const content = { ...WRITTEN, variables: { tone: { type: 'string' } } } as const;
  expect(expandedProblem(content, { ...expansionOf(content, [bare]), ...KNOWN })).toBeUndefined();
  const unused = { ...content, variables: { day: { type: 'string' } } } as const;
  expect(expandedProblem(unused, { ...expansionOf(unused, [bare]), ...KNOWN })).toContain(
    '"day" is declared',
  );
});

test('fragments that are included without being declared are named', () => {
  expect(undeclaredIn(WRITTEN)).toEqual([]);
  expect(undeclaredIn({ prompt: WRITTEN.prompt })).toEqual(['shared/tone']);
});

test('the id of a prompt is derived as the service does it', async () => {
  for (const name of ['greeting', 'shared/tone', 'Grüße 👋'])
    expect(await promptIdOf(name)).toBe(promptIdInService(name));
});
