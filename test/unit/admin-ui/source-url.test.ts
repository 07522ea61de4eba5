import { sourceUrl } from '../../../admin-ui/src/features/prompts/versions/source-url.ts';

const urlOf = (repository: string, path = 'prompts/a.prompt') =>
  sourceUrl({ repository, path, commit: 'c0ffee' }, ['github.com', 'gitlab.example.com']);

test('a version links only to a configured host, and to a file below its repository', () => {
  expect(urlOf('acme/app')).toBe('https://github.com/acme/app/blob/c0ffee/prompts/a.prompt');
  expect(urlOf('gitlab.example.com/acme/app')).toMatch(/^https:\/\/gitlab\.example\.com\/acme\/app\/-\/blob/);
  expect(urlOf('evil.example/acme/app')).toBeUndefined();
  for (const path of ['../../../../login', 'a/./b', 'a//b', 'a\u202eb'])
    expect(urlOf('acme/app', path)).toBeUndefined();
});
