// What the GitHub Action runs: the command line, then annotations, the job summary and, on a pull request, one comment.
import { appendFileSync, existsSync } from 'node:fs';

const { COMMAND = '', DIRECTORY = '', LABEL = '', ENVIRONMENT = '', PULL_REQUEST = '' } = process.env;
const { CUEVAULT_API_KEY = '', CUEVAULT_TRUST = '', ACTIONS_ID_TOKEN_REQUEST_URL = '' } = process.env;
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN = '', GITHUB_STEP_SUMMARY = '' } = process.env;
const { GITHUB_EVENT_NAME = '', GITHUB_REF = '', DEFAULT_BRANCH = '' } = process.env;
// Two hyphens would end the comment in HTML.
const MARKER = `<!-- cuevault ${encodeURIComponent(DIRECTORY).replaceAll('-', '%2D')} -->`;

const escaped = (text, pattern) =>
  text.replace(pattern, (found) => `%${found.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

/** An annotation, of a file if there is one. */
const annotate = (kind, message, place = {}) => {
  const properties = Object.entries(place).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  console.log(`::${kind} ${properties.join(',')}::${escaped(message, /[%\r\n]/g)}`);
};

const summarize = (page) => {
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${page}\n`);
  } catch (error) {
    annotate('notice', `The job summary was not written (${error.code}).`);
  }
};

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

// They run with the secrets of the repository on what anyone proposes.
const REFUSED = ['pull_request_target', 'issue_comment', 'workflow_run'];

const whyNot = () => {
  if (COMMAND !== 'diff' && COMMAND !== 'push') return 'The input "command" must be diff or push.';
  if (REFUSED.includes(GITHUB_EVENT_NAME))
    return `Nothing runs on ${GITHUB_EVENT_NAME}, which gives secrets to what others propose. Use pull_request and push.`;
  const isMerged = GITHUB_EVENT_NAME === 'push' && GITHUB_REF === `refs/heads/${DEFAULT_BRANCH}`;
  if (COMMAND === 'push' && !isMerged)
    return `The command push needs the event push on the default branch, but this is ${GITHUB_EVENT_NAME} on ${GITHUB_REF}.`;
};

/** The file that a text in quotation marks names, itself or by its prompt; undefined if there is none. */
const fileOf = (quoted) => {
  try {
    const path = `${DIRECTORY}/${JSON.parse(quoted).replace(/(\.prompt)?$/, '.prompt')}`;
    return !path.split('/').includes('..') && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

/** Annotates the files that an error of the command line names. */
const annotateFiles = (message) => {
  const files = [...new Set((message.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map(fileOf))].filter(Boolean);
  const [, line, col] = /^"[^"]*": Line (\d+), column (\d+)/.exec(message) ?? [];
  const places = files.map((file) => (line === undefined ? { file } : { file, line, col }));
  for (const place of places.length === 0 ? [{}] : places) annotate('error', message, place);
};

const compareOrPublish = async () => {
  // What git starts does not inherit it.
  delete process.env.GITHUB_TOKEN;
  const { main } = await import('../clients/typescript/src/cli/main.ts');
  const { inert } = await import('../clients/typescript/src/cli/terminal.ts');
  const moved = LABEL || (ENVIRONMENT === 'default' ? '' : ENVIRONMENT);
  const label = moved === '' ? [] : ['--label', moved];
  const printed = { page: '', said: '' };
  const code = await main([COMMAND, DIRECTORY, '--format', 'markdown', ...label], {
    out: (text) => (printed.page += inert(text)),
    err: (text) => (printed.said += inert(text)),
    raw: (text) => (printed.page += text),
    isTTY: false,
  });
  if (printed.said !== '') console.error(printed.said.trimEnd());
  const errors = Array.from(printed.said.matchAll(/^cuevault: (.*)$/gm), ([, message]) => message);
  if (code !== 0) errors.forEach(annotateFiles);
  const page = printed.page || `### Prompts\n\n"cuevault ${COMMAND}" failed; the log of this step says why.`;
  summarize(page);
  if (COMMAND === 'diff' && PULL_REQUEST !== '') {
    await comment(page).catch((error) =>
      annotate('notice', `The comment was not written (${error.message}); it needs pull-requests: write.`),
    );
  }
  return code;
};

const act = () => {
  const problem = whyNot();
  if (problem !== undefined) {
    annotate('error', problem);
    summarize(`### Prompts\n\n${problem}`);
    return 1;
  }
  if (
    COMMAND === 'push' ||
    CUEVAULT_API_KEY !== '' ||
    (CUEVAULT_TRUST !== '' && ACTIONS_ID_TOKEN_REQUEST_URL !== '')
  )
    return compareOrPublish();
  // GitHub gives neither secrets nor tokens to pull requests from forks.
  summarize('The prompts were not compared: there is no API key or token, as in pull requests from forks.');
  return 0;
};

process.exitCode = await act();
// An abandoned read would keep the process alive.
if (import.meta.main) process.exit();
