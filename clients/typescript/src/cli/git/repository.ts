import { spawnSync } from 'node:child_process';
import { CliError, EXIT } from '../exit-codes.ts';

const MOST_OUTPUT_BYTES = 2 ** 28;

interface Outcome {
  readonly ok: boolean;
  readonly out: string;
}

/** Runs git in a folder. Errors: CliError `noSuchCommand` if there is no git. */
export const git = (folder: string, args: readonly string[], input = ''): Outcome => {
  const { status, stdout, error } = spawnSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  if (error !== undefined)
    throw new CliError(`git cannot be run in ${JSON.stringify(folder)}.`, EXIT.noSuchCommand);
  return { ok: status === 0, out: stdout.trim() };
};

const REPOSITORY = /^[\w-][\w.-]*(\/[\w-][\w.-]*){0,9}$/;
const URL_FORM = /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i;
const SCP_FORM = /^(?:[^/@:]+@)?([^/@:]+):(?!\/\/)\/*(.+)$/;

/** The name of the repository at an address: `acme/app` on GitHub, `gitlab.com/acme/app` elsewhere. Undefined for a path. */
export const repositoryAt = (address: string): string | undefined => {
  const [, host = '', path = ''] = URL_FORM.exec(address) ?? SCP_FORM.exec(address) ?? [];
  const name = path.replace(/\/+$/, '').replace(/\.git$/, '');
  const full = host.toLowerCase() === 'github.com' ? name : `${host.toLowerCase()}/${name}`;
  return REPOSITORY.test(full) ? full : undefined;
};

/** The name of the repository that a folder belongs to. Errors: CliError `usage`. */
export const repositoryOf = (folder: string, given: string | undefined): string => {
  if (!git(folder, ['rev-parse', '--git-dir']).ok)
    throw new CliError(`${JSON.stringify(folder)} is not in a git repository.`, EXIT.usage);
  const name = given ?? repositoryAt(git(folder, ['remote', 'get-url', 'origin']).out);
  if (name !== undefined && REPOSITORY.test(name)) return name;
  const sentence =
    'The remote "origin" does not name the repository. Add --repository NAME, such as acme/app.';
  throw new CliError(sentence, EXIT.usage);
};

/** Where the content of a folder is from. */
export interface Origin {
  /** The commit that is checked out. */
  readonly commit: string;
  /** The folder in the repository: empty, or ending with `/`. */
  readonly prefix: string;
}

/** What the folder has checked out. Errors: CliError `usage` unless its prompt files are exactly those of the commit. */
export const originOf = (folder: string): Origin => {
  const head = git(folder, ['rev-parse', '--verify', 'HEAD']);
  if (!head.ok) throw new CliError('The repository has no commit yet.', EXIT.usage);
  const changed = git(folder, ['status', '--porcelain', '--ignored=matching', '--', '*.prompt']).out;
  if (changed !== '') {
    const sentence = `Commit the prompt files first; git status reports:\n${changed}`;
    throw new CliError(sentence, EXIT.usage);
  }
  return { commit: head.out, prefix: git(folder, ['rev-parse', '--show-prefix']).out };
};

const isShallow = (folder: string): boolean =>
  git(folder, ['rev-parse', '--is-shallow-repository']).out === 'true';

const isComplete = (folder: string, commits: readonly string[]): boolean =>
  !/ missing$/m.test(git(folder, ['cat-file', '--batch-check'], `${commits.join('\n')}\n`).out);

const SHALLOW =
  'Nothing was published: the clone is shallow, so newer commits may have been published already. Fetch the history: git fetch --unshallow; in GitHub Actions, fetch-depth: 0; in GitLab, GIT_DEPTH: 0.';

/** One of the commits that HEAD does not contain, undefined if it contains all of them. */
const strangerAmong = (folder: string, commits: readonly string[]): string | undefined => {
  if (!isComplete(folder, commits)) return 'a commit that this clone does not have';
  const input = `${commits.join('\n')}\n^HEAD\n`;
  const { out } = git(folder, ['rev-list', '--max-count=1', '--stdin'], input);
  return out === '' ? undefined : `the commit ${out.slice(0, 12)}`;
};

/**
 * Checks that what was published last is part of the history of HEAD: otherwise this is an older or another state, such
 * as that of an old job which runs again. Errors: CliError `drift`.
 */
export const checkAncestors = (folder: string, commits: readonly string[]): void => {
  const stranger = commits.length === 0 ? undefined : strangerAmong(folder, commits);
  if (stranger === undefined) return;
  if (isShallow(folder)) throw new CliError(SHALLOW, EXIT.drift);
  throw new CliError(
    `Nothing was published: prompts were last published from ${stranger}, which is not an ancestor of HEAD. This is an older state or another branch. If the history was rewritten, add --ignore-history.`,
    EXIT.drift,
  );
};
