import type { LocalPrompt } from '../../../../../clients/typescript/src/cli/git/folder.ts';
import { collisionsOf, nameOf } from '../../../../../clients/typescript/src/cli/git/folder.ts';
import { planOf, staged } from '../../../../../clients/typescript/src/cli/git/plan.ts';
import { repositoryAt } from '../../../../../clients/typescript/src/cli/git/repository.ts';
import type { ListedPrompt } from '../../../../../clients/typescript/src/cli/git/service.ts';
import { filePathOf } from '../../../../../contract/content/file/prompt-file.ts';
import { contentHash } from '../../../../../contract/content/hash.ts';

test.each([
  ['support/reply', 'support/reply.prompt'],
  ['v1.2/a_b-c', 'v1.2/a_b-c.prompt'],
  ['..', '%2E%2E.prompt'],
  ['../etc/passwd', '%2E%2E/etc/passwd.prompt'],
  ['.git/hooks', '%2Egit/hooks.prompt'],
  ['über 100%', '%C3%BCber%20100%25.prompt'],
  ['a\\b:c', 'a%5Cb%3Ac.prompt'],
  ['😀', '%F0%9F%98%80.prompt'],
  ['.', '%2E.prompt'],
])('the prompt %j has the file %j, and no other', (name, path) => {
  expect(filePathOf(name)).toBe(path);
  expect(nameOf(path)).toBe(name);
});

test('names that no path can hold have no file', () => {
  for (const name of ['a//b', '/a', 'a/', 'x'.repeat(201), 'ü'.repeat(34)])
    expect(filePathOf(name)).toBeUndefined();
  expect(filePathOf('x'.repeat(200))).toBe(`${'x'.repeat(200)}.prompt`);
});

test('a file with another spelling of the name is refused, with the right one', () => {
  expect(() => nameOf('my prompt.prompt')).toThrow('rename it to "my%20prompt.prompt"');
  expect(() => nameOf('%61.prompt')).toThrow('rename it to "a.prompt"');
  expect(() => nameOf('50%.prompt')).toThrow('"50%25.prompt"');
});

test('paths that are the same on a system that ignores case are named, and do not stop the others', () => {
  const found = collisionsOf([
    'a.prompt',
    'A.prompt',
    'b/c.prompt',
    'B/d.prompt',
    'x.prompt/y.prompt',
    'x.prompt',
    'ok.prompt',
  ]);
  expect([...found]).toEqual([
    ['A.prompt', expect.stringContaining('"a.prompt" and "A.prompt" differ only in case')],
    ['B/d.prompt', expect.stringContaining('"b" and "B" differ only in case')],
    ['x.prompt/y.prompt', expect.stringContaining('"x.prompt" cannot be both a file and a folder')],
  ]);
});

test.each([
  ['https://github.com/acme/app.git', 'acme/app'],
  ['https://token@github.com/acme/app', 'acme/app'],
  ['git@github.com:acme/app.git', 'acme/app'],
  ['ssh://git@GitLab.com:22/acme/sub/app.git/', 'gitlab.com/acme/sub/app'],
  ['/srv/git/app.git', undefined],
  ['file:///srv/app.git', undefined],
])('the remote %s is the repository %s', (address, name) => {
  expect(repositoryAt(address)).toBe(name);
});

const REPOSITORY = 'acme/app';
const file = (name: string, prompt: string, includes?: string[]): LocalPrompt => ({
  name,
  path: `${name}.prompt`,
  content: { prompt, ...(includes ? { includes } : {}) },
});

const hash = (prompt: string, includes?: string[]) => contentHash(file('', prompt, includes).content);

/** A prompt of the service: its latest version, and the last one from the repository. */
const listed = async (
  name: string,
  [latest, text, includes]: readonly [string, string, string[]?],
  base?: readonly [string, string, string[]?],
): Promise<ListedPrompt> => {
  const source = base && {
    repository: REPOSITORY,
    commit: 'c',
    version: base[0],
    contentHash: await hash(base[1], base[2]),
  };
  return {
    name,
    latest,
    contentHash: await hash(text, includes),
    labels: [],
    sources: source ? [source] : [],
  };
};

const statuses = async (files: LocalPrompt[], service: ListedPrompt[], overwrite = false) =>
  Object.fromEntries(
    (await planOf(files, new Map(service.map((each) => [each.name, each])), REPOSITORY, overwrite)).map(
      ({ name, status, from }) => [name, from === undefined ? status : `${status} from ${from}`],
    ),
  );

test('file, base and latest version are compared three ways', async () => {
  const files = ['same', 'made', 'mine', 'theirs', 'both', 'foreign', 'pulled', 'moved'].map((name) =>
    file(name, name),
  );
  const service = await Promise.all([
    listed('same', ['1.0.0', 'same'], ['1.0.0', 'same']),
    listed('mine', ['1.0.0', 'old'], ['1.0.0', 'old']),
    listed('theirs', ['1.1.0', 'edited'], ['1.0.0', 'theirs']),
    listed('both', ['1.1.0', 'edited'], ['1.0.0', 'old']),
    listed('foreign', ['1.0.0', 'never from here']),
    listed('pulled', ['1.1.0', 'pulled'], ['1.0.0', 'old']),
    listed('former', ['1.0.0', 'moved'], ['1.0.0', 'moved']),
    listed('other', ['1.0.0', 'of another team']),
  ]);
  expect(await statuses(files, service)).toEqual({
    same: 'unchanged',
    made: 'create',
    mine: 'publish',
    theirs: 'drift',
    both: 'conflict',
    foreign: 'conflict',
    pulled: 'unchanged',
    moved: 'renamed from former',
    former: 'unmanaged',
    other: 'unmanaged',
  });
});

test('a fragment without a version is pinned before contents are compared', async () => {
  const files = [file('page', '{{>"tone"}}', ['tone']), file('tone', 'Be kind.')];
  const page = await listed(
    'page',
    ['1.0.0', '{{>"tone"}}', ['tone@1.0.0']],
    ['1.0.0', '{{>"tone"}}', ['tone@1.0.0']],
  );
  const same = await listed('tone', ['1.0.0', 'Be kind.'], ['1.0.0', 'Be kind.']);
  expect(await statuses(files, [page, same])).toEqual({ page: 'unchanged', tone: 'unchanged' });
  const behind = await listed('tone', ['1.0.0', 'Be.'], ['1.0.0', 'Be.']);
  expect(await statuses(files, [page, behind])).toEqual({ page: 'publish', tone: 'publish' });
  const edited = await listed('tone', ['1.1.0', 'Be brief.'], ['1.0.0', 'Be kind.']);
  expect(await statuses(files, [page, edited])).toEqual({ page: 'unchanged', tone: 'drift' });
  expect(await statuses(files, [page, edited], true)).toEqual({ page: 'publish', tone: 'drift' });
});

test('fragments come before what includes them, also by the version that the push gives them; circles are refused', async () => {
  const stages = (files: readonly LocalPrompt[], all: readonly ListedPrompt[] = []) =>
    staged(files, new Map(all.map((each) => [each.name, each]))).map((stage) =>
      stage.map(({ name }) => name),
    );
  const a = file('a', 'a', ['b']);
  const b = file('b', 'b', ['c@1.1.0']);
  const c = file('c', 'c', ['other@1.0.0']);
  expect(stages([a, b, c])).toEqual([['c'], ['b'], ['a']]);
  expect(stages([a, b, c], [await listed('c', ['1.1.0', 'c'])])).toEqual([['b', 'c'], ['a']]);
  expect(() => stages([a, b, file('c', 'c', ['a'])])).toThrow('includes itself');
});
