// What someone who may push to a repository writes into its folder of prompts.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../../../../clients/typescript/src/cli/exit-codes.ts';
import type { Detail } from '../../../../../clients/typescript/src/cli/git/compare.ts';
import type { Row } from '../../../../../clients/typescript/src/cli/git/plan.ts';
import { markdown, unifiedDiffs } from '../../../../../clients/typescript/src/cli/git/report.ts';
import { commitOf, openRepository } from '../../../../../clients/typescript/src/cli/git/repository.ts';
import { inert } from '../../../../../clients/typescript/src/cli/terminal.ts';
import type { SharedInstance } from '../../../../support/calls.ts';
import { newFolder } from '../../../../support/new-folder.ts';
import { serve } from '../../../../support/server.ts';
import { newProject, type Project } from './project.ts';

const NO_SERVICE = { url: 'http://127.0.0.1:9' } as SharedInstance;

let app: Project;

beforeEach(() => {
  app = newProject(NO_SERVICE, 'cue_unused', 'acme/app');
  app.write('hello', 'Hello\n');
});

/** Makes a folder a bare repository whose settings name a command. Returns the file that the command would write. */
const bare = (folder: string): string => {
  const proof = join(newFolder(), 'proof');
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${proof}; false"\n`;
  writeFileSync(join(folder, 'config'), config);
  return proof;
};

test('a folder of prompts that is a bare repository runs no command, and is refused', async () => {
  const proof = bare(join(app.folder, 'prompts'));
  app.commit();
  const { code, err } = await app.cuevault('push', 'prompts', '--dry-run');
  expect({ code, ran: existsSync(proof) }).toEqual({ code: 2, ran: false });
  expect(err).toMatch(/^cuevault: "prompts" contains HEAD, objects and refs.*\n$/);
});

test('a folder above it that is a bare repository runs no command', () => {
  const proof = bare(join(app.folder, 'a'));
  mkdirSync(join(app.folder, 'a/prompts'));
  writeFileSync(join(app.folder, 'a/prompts/x.prompt'), 'X\n');
  const commit = app.commit();
  const repository = openRepository(join(app.folder, 'a/prompts'));
  expect(commitOf(repository)).toBe(commit);
  expect({ prefix: repository.prefix, ran: existsSync(proof) }).toEqual({ prefix: 'a/prompts/', ran: false });
});

test('the settings of the real repository and the environment run no command either', () => {
  const proof = join(newFolder(), 'proof');
  app.commit();
  app.git('config', 'core.fsmonitor', `touch ${proof}; false`);
  Object.assign(process.env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor' });
  process.env.GIT_CONFIG_VALUE_0 = `touch ${proof}; false`;
  try {
    commitOf(openRepository(join(app.folder, 'prompts')));
  } finally {
    for (const name of ['COUNT', 'KEY_0', 'VALUE_0']) delete process.env[`GIT_CONFIG_${name}`];
  }
  expect(existsSync(proof)).toBe(false);
});

test('a git of the repository is never run', () => {
  const program = join(app.folder, 'git');
  writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  const { PATH } = process.env;
  const commit = app.commit();
  process.env.PATH = `.:${app.folder}:${PATH}`;
  try {
    expect(commitOf(openRepository(join(app.folder, 'prompts')))).toBe(commit);
  } finally {
    process.env.PATH = PATH;
  }
});

test('worktrees, submodules and folders with special characters are found', () => {
  app.write('hello', 'Hello\n');
  const commit = app.commit();
  const folder = join(newFolder(), 'other [tree]*');
  app.git('worktree', 'add', '--quiet', '--detach', folder);
  expect(commitOf(openRepository(join(folder, 'prompts')))).toBe(commit);
  writeFileSync(join(folder, 'prompts/hello.prompt'), 'Changed\n');
  expect(() => commitOf(openRepository(join(folder, 'prompts')))).toThrow('prompts/hello.prompt');

  const owner = newProject(NO_SERVICE, 'cue_unused', 'acme/owner');
  owner.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', app.folder, 'sub');
  owner.commit();
  expect(commitOf(openRepository(join(owner.folder, 'sub/prompts')))).toBe(commit);

  app.git('mv', 'prompts', 'p[r]o*');
  const moved = app.commit();
  writeFileSync(join(app.folder, 'pro.prompt'), 'Elsewhere\n');
  expect(commitOf(openRepository(join(app.folder, 'p[r]o*')))).toBe(moved);
  writeFileSync(join(app.folder, 'p[r]o*/hello.prompt'), 'Changed\n');
  expect(() => commitOf(openRepository(join(app.folder, 'p[r]o*')))).toThrow(CliError);
});

const SOURCE = { repository: 'acme/app', version: '1.0.0', contentHash: '0' };

const created = (name: string): Row => ({ name, status: 'create' });
const HIDING = 'Hello\u2028+++ forged\0\u202e\u200b\u001b[2K\u{e0041}é😀\tend';

test('a change hides nothing from its review: no line, no other prompt, no character', () => {
  const details = new Map<string, Detail>([
    ['a', { breaking: [], before: { prompt: 'Hello' }, after: { prompt: HIDING } }],
    ['b', { breaking: [], before: { prompt: 'One' }, after: { prompt: 'Two' } }],
  ]);
  const diffs = unifiedDiffs([created('a'), created('b')], details);
  const all = [...diffs.values()].join('');
  expect(all).toContain('\\u2028+++ forged');
  for (const shown of ['\\u202e', '\\u200b', '[2K', '\\udb40\\udc41é😀']) expect(all).toContain(shown);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(all).not.toMatch(/[\0\u001b\u2028\u202e\u200b]/);
  expect(diffs.get('b')).toBe('--- /dev/null\n+++ b\n@@ -1 +1 @@\n-One\n+Two\n');
});

test('a long prompt leaves room for the others, and what is left out is counted', () => {
  const details = new Map<string, Detail>([
    ['a', { breaking: [], after: { prompt: 'x'.repeat(66_000) } }],
    ['b', { breaking: [], after: { prompt: 'Review me' } }],
  ]);
  const report = { title: 'T', rows: [created('a'), created('b')], details, moves: [] };
  const { page, omitted } = markdown(report);
  expect({ omitted, shown: page.includes('+Review me') }).toEqual({ omitted: 1, shown: true });
  const many = Array.from({ length: 201 }, (_, index) => created(`p${index}`));
  expect(markdown({ ...report, rows: many, details: new Map() }).omitted).toBe(1);
});

test('nothing that is printed acts on a terminal or a CI system', () => {
  expect(inert('a\u001b[31m\rb\r\n  ::add-mask::x\n::error::y ##[command]z ##vso[task] ## [ok]\n')).toBe(
    'a\\u001b[31m\\u000db\r\n  :\\u003aadd-mask::x\n:\\u003aerror::y #\\u0023[command]z #\\u0023vso[task] ## [ok]\n',
  );
});

const LISTED = { name: 'a', latest: '1.0.0', contentHash: '0', labels: [], sources: [] };

test.each([
  ['a version that is Markdown', { prompts: [{ ...LISTED, latest: '1.0.0 | ![x](//y)' }] }, 'understands'],
  [
    'a label at such a version',
    { prompts: [{ ...LISTED, labels: [{ label: 'l', version: '`' }] }] },
    'understands',
  ],
  [
    'a commit that is an option',
    { prompts: [{ ...LISTED, sources: [{ ...SOURCE, commit: '--x' }] }] },
    'understands',
  ],
  ['a list that does not end', { prompts: [], cursor: 'same' }, 'does not move'],
  ['a list without prompts', {}, 'understands'],
])('a service that sends %s is refused before anything is printed', async (_, res, reason) => {
  const { url, stop } = await serve((_, response) => response.end(JSON.stringify({ err: null, res })));
  const project = newProject({ url } as SharedInstance, 'cue_unused', 'acme/app');
  project.write('hello', 'Hello\n');
  const refused = await project.cuevault('diff', 'prompts', '--format', 'markdown');
  await stop();
  const err = expect.stringMatching(new RegExp(`^cuevault: .*${reason}.*\n$`));
  expect(refused).toEqual({ code: 5, out: '', err });
});

test('nothing is read or written through a link', () => {
  const elsewhere = newProject(NO_SERVICE, 'cue_unused', 'acme/elsewhere');
  elsewhere.write('hello', 'Mine\n');
  for (const [link, folder] of [
    ['linked', 'prompts'],
    ['parent', '.'],
  ] as const)
    symlinkSync(join(elsewhere.folder, folder), join(app.folder, link));
  expect(() => openRepository(join(app.folder, 'linked'))).toThrow('is a symbolic link');
  expect(() => openRepository(join(app.folder, 'parent/prompts'))).toThrow('is a symbolic link');
});
