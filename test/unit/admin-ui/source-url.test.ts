import { sourceUrl } from '../../../admin-ui/src/features/prompts/versions/source-url.ts';
import { versionText } from '../../../admin-ui/src/features/prompts/versions/version-text.ts';

const urlOf = (repository: string, path = 'prompts/a.prompt') =>
  sourceUrl({ repository, path, commit: 'c0ffee' }, ['github.com', 'gitlab.example.com']);

test('a version links only to a configured host, and to a file below its repository', () => {
  expect(urlOf('acme/app')).toBe('https://github.com/acme/app/blob/c0ffee/prompts/a.prompt');
  expect(urlOf('gitlab.example.com/acme/app')).toMatch(/^https:\/\/gitlab\.example\.com\/acme\/app\/-\/blob/);
  expect(urlOf('evil.example/acme/app')).toBeUndefined();
  for (const path of ['../../../../login', 'a/./b', 'a//b', 'a\u202eb'])
    expect(urlOf('acme/app', path)).toBeUndefined();
});

test('no character hides a part of what the comparison of versions shows', () => {
  const text = versionText({
    content: { prompt: 'a\u202eb\u200bc\u2028d\u0000', model: 'x\u2066' },
    note: '\u001b[2K',
  });
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(text.toLowerCase()).toContain('\\u202e');
});
