import * as fc from 'fast-check';
import { matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import { checkNarrower } from '../../../lambdas/core/api-keys/limits.ts';

type Limits = Parameters<typeof checkNarrower>[0];

const ALL: Limits = { permissions: ['prompts', 'secrets'], tags: [], prompts: [], cidrs: [] };
const MAY = '2030-05-01T00:00:00Z';
const JUNE = '2030-06-01T00:00:00Z';
const check = (from: Partial<Limits>, to: Partial<Limits>) =>
  checkNarrower({ ...ALL, ...from }, { ...ALL, ...to });

test.each<[Partial<Limits>, Partial<Limits>]>([
  [{}, { tags: ['a'], prompts: ['x*'], expiresAt: MAY }],
  [{ tags: ['a'] }, { tags: ['b', 'a'] }],
  [{ prompts: ['support/*', 'title'] }, { prompts: ['support/reply', 'support/mail/*', 'title'] }],
  [{ prompts: ['*'] }, { prompts: ['anything'] }],
  [{}, { permissions: ['secrets'], cidrs: ['10.0.0.0/8'] }],
  [{ labels: ['staging', 'test'] }, { labels: ['test'] }],
  [{ labels: ['staging'] }, {}],
  [{ environments: ['*'] }, { environments: ['staging', 'default'] }],
  [{ expiresAt: JUNE }, { expiresAt: MAY }],
  [{ expiresAt: MAY }, { expiresAt: '2030-05-01T00:00:00.000Z' }],
])('from %j to %j is narrower', (from, to) => {
  check(from, to);
});

test.each<[Partial<Limits>, Partial<Limits>, string]>([
  [{ tags: ['a', 'b'] }, { tags: ['a'] }, '"tags" must still contain "b"'],
  [{ tags: ['a'] }, {}, '"tags" must still contain "a"'],
  [{ prompts: ['title'] }, {}, '"prompts" must not be empty'],
  [{ prompts: ['title'] }, { prompts: ['title*'] }, '"prompts" must not contain "title*"'],
  [{ prompts: ['support/*'] }, { prompts: ['support*'] }, 'limited to "support/*"'],
  [{ prompts: ['**'] }, { prompts: ['*'] }, 'must not contain "*"'],
  [{ prompts: ['support/*'] }, { prompts: ['support/*', 'title'] }, 'must not contain "title"'],
  [{}, { permissions: ['publish'] }, '"permissions" must not contain "publish"'],
  [{ cidrs: ['10.0.0.0/8'] }, { cidrs: ['10.0.0.0/7'] }, '"cidrs" must not contain "10.0.0.0/7"'],
  [{ cidrs: ['10.0.0.0/8'] }, {}, '"cidrs" must not be empty'],
  [{}, { labels: ['staging'] }, '"labels" must not contain "staging": the key is limited to none'],
  [{ environments: ['staging'] }, { environments: ['*'] }, '"environments" must not contain "*"'],
  [{ environments: ['staging'] }, { environments: ['other'] }, 'must not contain "other"'],
  [{ environments: ['staging'] }, {}, 'must not contain "default"'],
  [{ expiresAt: MAY }, { expiresAt: JUNE }, `"expiresAt" must not be after ${MAY}`],
  [{ expiresAt: MAY }, {}, '"expiresAt" must not be after'],
])('from %j to %j is wider, and is refused', (from, to, sentence) => {
  expect(() => check(from, to)).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(sentence) }),
  );
});

test('a narrower key fetches no prompt that the wider one did not fetch', () => {
  const named = fc.string({ unit: fc.constantFrom('a', '/', '*'), minLength: 1, maxLength: 4 });
  const patterns = fc.array(named, { maxLength: 3 });
  fc.assert(
    fc.property(patterns, patterns, named, (from, to, prompt) => {
      try {
        check({ prompts: from }, { prompts: to });
      } catch {
        return;
      }
      if (matchesPromptPatterns(to, prompt)) expect(matchesPromptPatterns(from, prompt)).toBe(true);
    }),
  );
});
