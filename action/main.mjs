// What the GitHub Action runs: the command line, then the job summary and, on a pull request, one comment.
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const { COMMAND = '', DIRECTORY = '', LABEL = '', CUEVAULT_API_KEY = '', PULL_REQUEST = '' } = process.env;
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN = '', GITHUB_STEP_SUMMARY = '' } = process.env;
// Two hyphens would end the comment in HTML.
const MARKER = `<!-- cuevault ${encodeURIComponent(DIRECTORY).replaceAll('-', '%2D')} -->`;

const summarize = (page) => appendFileSync(GITHUB_STEP_SUMMARY, `${page}\n`);

const github = async (method, path, body) => {
  const reply = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/${path}`, {
    method,
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`GitHub answered ${reply.status}`);
  return reply.json();
};

/** The id of the comment that an earlier run wrote. */
const ownComment = async () => {
  for (let page = 1; ; page++) {
    const comments = await github('GET', `${PULL_REQUEST}/comments?per_page=100&page=${page}`);
    const own = comments.find(({ body, user }) => user?.type === 'Bot' && body?.startsWith(MARKER));
    if (own !== undefined || comments.length < 100) return own?.id;
  }
};

const comment = async (page) => {
  const body = `${MARKER}\n${page}`;
  const id = await ownComment();
  if (id === undefined) await github('POST', `${PULL_REQUEST}/comments`, { body });
  else await github('PATCH', `comments/${id}`, { body });
};

if (COMMAND !== 'diff' && COMMAND !== 'push') throw new Error('The input "command" must be diff or push.');
if (CUEVAULT_API_KEY === '' && COMMAND === 'diff') {
  // GitHub gives no secrets to pull requests from forks.
  summarize('The prompts were not compared: there is no API key, as in pull requests from forks.');
  process.exit();
}

const cli = join(import.meta.dirname, '../clients/typescript/src/cli.ts');
const label = LABEL === '' ? [] : ['--label', LABEL];
const args = [cli, COMMAND, DIRECTORY, '--format', 'markdown', ...label];
const { GITHUB_TOKEN: _token, ...env } = process.env;
const { status, stdout } = spawnSync(process.execPath, args, {
  env: { ...env, NODE_NO_WARNINGS: '1' },
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.exitCode = status ?? 1;
summarize(stdout || `### Prompts\n\n"cuevault ${COMMAND}" failed; the log of this step says why.`);
if (COMMAND === 'diff' && PULL_REQUEST !== '' && stdout !== '') {
  await comment(stdout).catch((error) =>
    process.stdout.write(
      `::notice::The comment was not written (${error.message}); it needs pull-requests: write.\n`,
    ),
  );
}
