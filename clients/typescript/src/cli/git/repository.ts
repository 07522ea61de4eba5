import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { REPOSITORY_PATTERN } from '../../../../../contract/fields/patterns.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { commandPaths, isExecutable } from '../find.ts';

const MOST_OUTPUT_BYTES = 2 ** 28;

// What the content of a folder could make git do: a repository in it, whose settings name commands.
const SAFE = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', devNull],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Git by its absolute path, never from the repository. Errors: CliError `noSuchCommand`. */
const programFor = (top: string): string => {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const program = commandPaths(name, process.env).find(
    (path) => isAbsolute(path) && relative(top, path).startsWith('..') && isExecutable(path),
  );
  if (program === undefined) throw new CliError('There is no git on the PATH.', EXIT.noSuchCommand);
  return program;
};

/**
 * The nearest folder upwards with a `.git`, which is a file in worktrees and submodules. Errors: CliError `usage` for a
 * link on the way: what is written would land elsewhere.
 */
const topOf = (folder: string): string | undefined => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const isTop = isThere(join(at, '.git'));
    // A link to a repository is fine, unless it is part of another one.
    const isLink = lstatSync(at).isSymbolicLink() && !(isTop && topOf(dirname(at)) === undefined);
    if (isTop && !isLink) return realpathSync(at);
    if (isLink) throw wrongUsage(`${JSON.stringify(at)} is a symbolic link; links are not followed.`);
    if (at === parse(at).root) return undefined;
  }
};

const gitFolderOf = (top: string): string => {
  const entry = join(top, '.git');
  if (statSync(entry).isDirectory()) return entry;
  return resolve(top, /^gitdir: (.+)/.exec(readFileSync(entry, 'utf8'))?.[1]?.trimEnd() ?? '');
};

/**
 * Finds the repository of a folder without running git in the folder. Errors: CliError `usage` for a folder that is in
 * no repository, or that could pass for a bare one; `noSuchCommand`.
 */
export const openRepository = (folder: string) => {
  const given = JSON.stringify(folder);
  const real = realpathSync(folder);
  const top = topOf(folder);
  if (top === undefined) throw wrongUsage(`${given} is not in a git repository.`);
  for (const place of [real, top])
    if (['HEAD', 'objects', 'refs'].every((name) => isThere(join(place, name))))
      throw wrongUsage(`${given} contains HEAD, objects and refs, as a git repository does: remove them.`);
  const program = programFor(top);
  const env = Object.entries(process.env).filter(([name]) => !/^(GIT_|CUEVAULT_)/i.test(name));
  const run = (cwd: string, args: readonly string[], input = '') => {
    const { status, stdout, error } = spawnSync(program, [...SAFE, ...args], {
      cwd,
      input,
      env: { ...Object.fromEntries(env), GIT_NO_LAZY_FETCH: '1', GIT_CEILING_DIRECTORIES: dirname(top) },
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT_BYTES,
    });
    if (error !== undefined) throw new CliError(`git cannot be run for ${given}.`, EXIT.noSuchCommand);
    return { ok: status === 0, out: stdout.trim() };
  };
  const gitFolder = gitFolderOf(top);
  // Git also checks here that the repository belongs to this user.
  const found = run(top, ['rev-parse', '--absolute-git-dir']);
  if (!found.ok || !isThere(gitFolder) || realpathSync(found.out) !== realpathSync(gitFolder))
    throw wrongUsage(`git does not accept the repository of ${given}: try "git status" there.`);
  const place = [`--git-dir=${gitFolder}`, `--work-tree=${top}`];
  const inside = relative(top, real).split(sep).join('/');
  return {
    /** Runs git for the repository. */
    git: (args: readonly string[], input?: string) => run(parse(top).root, [...place, ...args], input),
    /** The folder in the repository: empty, or ending with `/`. */
    prefix: inside === '' ? '' : `${inside}/`,
  };
};

/** The repository that contains a folder. */
export type Repository = ReturnType<typeof openRepository>;

const URL_FORM = /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i;
const SCP_FORM = /^(?:[^/@:]+@)?([^/@:]+):(?!\/\/)\/*(.+)$/;

/** The name of the repository at an address: `acme/app` on GitHub, `gitlab.com/acme/app` elsewhere. Undefined for a path. */
export const repositoryAt = (address: string): string | undefined => {
  const [, host = '', path = ''] = URL_FORM.exec(address) ?? SCP_FORM.exec(address) ?? [];
  const name = path.replace(/\/+$/, '').replace(/\.git$/, '');
  const full = host.toLowerCase() === 'github.com' ? name : `${host.toLowerCase()}/${name}`;
  return REPOSITORY_PATTERN.test(full) ? full : undefined;
};

/** The name of a repository. Errors: CliError `usage`. */
export const nameOfRepository = ({ git }: Repository, given: string | undefined): string => {
  const name = given ?? repositoryAt(git(['remote', 'get-url', 'origin']).out);
  if (name !== undefined && REPOSITORY_PATTERN.test(name)) return name;
  const sentence =
    'The remote "origin" does not name the repository. Add --repository NAME, such as acme/app.';
  throw wrongUsage(sentence);
};

/** The commit that is checked out. Errors: CliError `usage` unless the prompt files are exactly those of the commit. */
export const commitOf = ({ git, prefix }: Repository): string => {
  const head = git(['rev-parse', '--verify', 'HEAD']);
  if (!head.ok) throw wrongUsage('The repository has no commit yet.');
  const files = `:(top)${prefix.replace(/[*?[\\]/g, '\\$&')}*.prompt`;
  const options = ['--porcelain', '--ignored=matching', '--ignore-submodules=all'];
  const { ok, out } = git(['status', ...options, '--', files]);
  if (!ok) throw new CliError('git status failed.', EXIT.other);
  if (out !== '') {
    const changed = out.split('\n').slice(0, 5).join(', ');
    throw wrongUsage(`Commit the prompt files first; git status reports: ${changed}`);
  }
  return head.out;
};

/** Which of these files the repository had, each in a commit that it may not have. */
export const filesIn = (
  { git, prefix }: Repository,
  files: readonly { readonly commit: string; readonly path: string }[],
): boolean[] => {
  const input = files.map(({ commit, path }) => `${commit}:${prefix}${path}\n`).join('');
  const lines = input === '' ? [] : git(['cat-file', '--batch-check'], input).out.split('\n');
  return files.map((_, index) => / blob \d+$/.test(lines[index] ?? ''));
};

const isShallow = ({ git }: Repository): boolean =>
  git(['rev-parse', '--is-shallow-repository']).out === 'true';

const isComplete = ({ git }: Repository, commits: readonly string[]): boolean =>
  !/ missing$/m.test(git(['cat-file', '--batch-check'], `${commits.join('\n')}\n`).out);

const SHALLOW =
  'Nothing was published: the clone is shallow, so newer commits may have been published already. Fetch the history: git fetch --unshallow; in GitHub Actions, fetch-depth: 0; in GitLab, GIT_DEPTH: 0.';

/** One of the commits that HEAD does not contain, undefined if it contains all of them. */
const strangerAmong = (repository: Repository, commits: readonly string[]): string | undefined => {
  if (!isComplete(repository, commits)) return 'a commit that this clone does not have';
  const input = `${commits.join('\n')}\n^HEAD\n`;
  const { out } = repository.git(['rev-list', '--max-count=1', '--stdin'], input);
  return out === '' ? undefined : `the commit ${out.slice(0, 12)}`;
};

/**
 * Checks that what was published last is part of the history of HEAD: otherwise this is an older or another state, such
 * as that of an old job which runs again. Errors: CliError `drift`.
 */
export const checkAncestors = (repository: Repository, commits: readonly string[]): void => {
  const stranger = commits.length === 0 ? undefined : strangerAmong(repository, commits);
  if (stranger === undefined) return;
  if (isShallow(repository)) throw new CliError(SHALLOW, EXIT.drift);
  throw new CliError(
    `Nothing was published: prompts were last published from ${stranger}, which is not an ancestor of HEAD. This is an older state or another branch. If the history was rewritten, add --ignore-history.`,
    EXIT.drift,
  );
};
