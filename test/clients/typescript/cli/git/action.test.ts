// Runs the steps of the GitHub Action as a runner does, in a real git repository; GitHub's API is replaced.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { newFolder } from '../../../../support/new-folder.ts';
import { runHere } from '../../../../support/processes/process.ts';
import { aSecret } from '../../../../support/scenarios/admin-world.ts';
import { withServer } from '../../../../support/server.ts';
import { instance, withSharedInstance } from '../../../../support/shared/instance.ts';
import { newTrust, tokenOfWorker } from '../../../../support/trusts.ts';
import { uniqueName } from '../../../../support/unique-name.ts';
import type { Json } from '../../../../support/vectors.ts';
import { finish, start, startCli } from '../processes.ts';
import { GIT, newProject, type Project } from './project.ts';

const ACTION = parse(readFileSync('action.yml', 'utf8'));
const MAIN = 'refs/heads/main';

let apiKey: string;
let app: Project;
let team: string;
/** Comments on the pull request, and whether the token may write them. */
let comments: { id: number; body: string; user: { type: string } }[];
let mayComment: boolean;

withSharedInstance();
const github = withServer(async (request, response) => {
  const { body = '' } = request.method === 'GET' ? {} : JSON.parse(await text(request));
  if (request.url?.startsWith('/token')) {
    const aud = new URL(request.url, 'http://github').searchParams.get('audience');
    return void response.end(JSON.stringify({ value: await tokenOfWorker({ aud }) }));
  }
  const id = Number(/comments\/(\d+)$/.exec(request.url ?? '')?.[1]);
  const known = comments.find((comment) => comment.id === id);
  if (request.method !== 'GET' && !mayComment) response.statusCode = 403;
  else if (known) known.body = body;
  else if (request.method === 'POST') comments.push({ id: comments.length + 1, body, user: { type: 'Bot' } });
  response.end(JSON.stringify(comments));
});

beforeEach(async () => {
  team = uniqueName('team');
  const key = { permissions: ['publish'] as const, prompts: [`${team}/*`], labels: ['staging'] };
  ({ apiKey } = await instance.newKey(key));
  app = newProject(instance, apiKey, 'acme/app', team);
  comments = [];
  mayComment = true;
});

interface Run {
  readonly event?: string;
  readonly ref?: string;
  /** Where the job summary goes. */
  readonly summary?: string;
  /** Further variables. */
  readonly job?: Readonly<Record<string, string>>;
  /** Whether the steps run in shells, as with GitHub; otherwise what the last one starts runs in this process. */
  readonly apart?: boolean;
}

const inShell = (script: string, variables: NodeJS.ProcessEnv) => {
  const options = { cwd: app.folder, env: { ...process.env, ...variables } };
  return finish(start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], options));
};

const inHere = async (variables: Readonly<Record<string, string>>) => {
  const before = process.cwd();
  process.chdir(app.folder);
  try {
    const { status: code, out } = await runHere('action/main.mjs', [], variables);
    return { code, out };
  } finally {
    process.chdir(before);
  }
};

/** Runs the steps with these inputs. Returns the exit code, the output and the job summary. */
const runAction = async (inputs: Readonly<Record<string, string>>, run: Run = {}) => {
  const isPush = inputs.command === 'push';
  const all: Record<string, string> = {
    'inputs.url': instance.url,
    'inputs.api-key': apiKey,
    'inputs.directory': 'prompts',
    'inputs.label': '',
    'inputs.environment': '',
    'inputs.trust': '',
    'inputs.token': 'ghs_1',
    'github.event.pull_request.number': '7',
    'github.event.repository.default_branch': 'main',
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const written = join(newFolder(), 'summary.md');
  writeFileSync(written, '');
  const { event = isPush ? 'push' : 'pull_request', ref = isPush ? MAIN : 'refs/pull/7/merge' } = run;
  const steps = ACTION.runs.steps.filter((step: Json) => step.run !== undefined);
  const values = Object.entries<string>(steps.at(-1).env).map(([name, value]) => {
    const [, expression = ''] = /^\$\{\{ (.+) \}\}$/.exec(value) ?? [];
    return [name, all[expression] ?? `no value for ${value}`];
  });
  const variables = {
    ...GIT,
    ...Object.fromEntries(values),
    GITHUB_ACTION_PATH: resolve('.'),
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_STEP_SUMMARY: run.summary ?? written,
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: ref,
    ...run.job,
  };
  const script = steps.map((step: Json) => `(${step.run}\n)`).join('\n');
  const { code, out } = await (run.apart === true ? inShell(script, variables) : inHere(variables));
  return { code, out, summary: readFileSync(written, 'utf8') };
};

/** How a run ends that succeeds, with this in its summary. */
const succeeded = (text: string) => ({
  code: 0,
  out: expect.any(String),
  summary: expect.stringContaining(text),
});

test('each folder has a comment of its own', async () => {
  for (const directory of ['ab', 'a-b', 'a--b']) {
    mkdirSync(join(app.folder, directory));
    await runAction({ command: 'diff', directory });
  }
  expect(comments.map(({ body }) => body.split('\n')[0])).toEqual([
    '<!-- cuevault ab -->',
    '<!-- cuevault a%2Db -->',
    '<!-- cuevault a%2D%2Db -->',
  ]);
});

test('a pull request gets one comment that is updated, and its merge publishes', async () => {
  app.commit({ hello: 'Hello {{user}}!\n' });
  expect(await runAction({ command: 'diff' })).toEqual(succeeded('1 create'));
  app.commit({ bye: 'Bye!\n' });
  const { summary } = await runAction({ command: 'diff' });
  expect(comments.map(({ body }) => body)).toEqual([`<!-- cuevault prompts -->\n${summary.slice(0, -1)}`]);
  expect(summary).toContain('2 create');

  const pushed = await runAction({ command: 'push', label: 'staging' });
  expect(pushed).toEqual(succeeded('### Pushed'));
  expect((await runAction({ command: 'diff' })).summary).toContain('2 unchanged');
});

test('an environment moves the label of its name, unless a label is given or it is default', async () => {
  app.commit({ hello: 'Hello {{user}}!\n' });
  const moves = async (inputs: Readonly<Record<string, string>>) =>
    /\| label \|[\s\S]*?<code>(\w+)<\/code>/.exec(
      (await runAction({ command: 'diff', ...inputs })).summary,
    )?.[1];
  expect(await moves({ environment: 'staging' })).toBe('staging');
  expect(await moves({ environment: 'staging', label: 'canary' })).toBe('canary');
  expect(await moves({ environment: 'default' })).toBeUndefined();
  expect(await runAction({ command: 'push', environment: 'staging' })).toMatchObject({ code: 0 });
  expect((await runAction({ command: 'diff', environment: 'staging' })).summary).toContain('1 unchanged\n');
});

test('without the right to comment or an API key, the comparison still does not fail', async () => {
  app.commit({ hello: 'Hello\n' });
  mayComment = false;
  const out = expect.stringContaining('pull-requests: write');
  expect(await runAction({ command: 'diff' })).toEqual({ ...succeeded('1 create'), out });
  const fork = await runAction({ command: 'diff', 'api-key': '' });
  expect(fork).toEqual(succeeded('forks'));
});

test('a workflow without a secret publishes and runs a command with secrets, by a token of its job', async () => {
  const { audience } = await newTrust({
    permissions: ['publish', 'secrets'],
    prompts: [`${team}/*`],
  });
  const { key } = await aSecret();
  await instance.invoke('issuer-keys', {});
  const job = {
    CUEVAULT_TRUST: audience,
    CUEVAULT_URL: instance.url,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${github.url}/token?v=1`,
  };
  app.commit({ hello: 'Hello\n' });
  const inputs = { 'api-key': '', trust: audience };
  expect((await runAction({ command: 'diff', ...inputs })).summary).toContain('forks');
  const pushed = await runAction({ command: 'push', ...inputs }, { job, apart: true });
  expect(pushed).toEqual(succeeded('### Pushed'));
  const command = ['run', '--key', key, '--without-api-key', '--', 'printenv', key];
  const { CUEVAULT_API_KEY: _, ...others } = process.env;
  const child = startCli(command, { env: { ...others, ...job, NODE_NO_WARNINGS: '1' } });
  expect(await finish(child)).toMatchObject({ code: 0, out: 'first value\n' });
});

test('only a push to the default branch publishes; events that give secrets to strangers run nothing', async () => {
  app.commit({ hello: 'Hello\n' });
  for (const [command, event, ref, said] of [
    ['push', 'pull_request', 'refs/pull/7/merge', 'needs the event push on the default branch'],
    ['push', 'push', 'refs/heads/feature', 'needs the event push on the default branch'],
    ['push', 'push', 'refs/tags/main', 'needs the event push on the default branch'],
    ['push', 'workflow_dispatch', MAIN, 'needs the event push on the default branch'],
    ...['pull_request_target', 'issue_comment', 'workflow_run'].flatMap((name) => [
      ['push', name, MAIN, `Nothing runs on ${name}`],
      ['diff', name, MAIN, `Nothing runs on ${name}`],
    ]),
    ['delete', 'push', MAIN, 'must be diff or push'],
  ] as const) {
    const refused = await runAction({ command }, { event, ref });
    expect(refused).toMatchObject({ code: 1, summary: expect.stringContaining(said) });
    expect(refused.out).toMatch(/^::error ::/m);
  }
  expect(comments).toEqual([]);
  const names = { prompts: [`${team}/*`] };
  const { apiKey: compare } = await instance.newKey({ permissions: ['compare'], ...names });
  expect((await runAction({ command: 'diff', 'api-key': compare })).summary).toContain('1 create');
  expect(await runAction({ command: 'push', 'api-key': compare })).toMatchObject({ code: 3 });

  const [, expression = ''] = /^\$\{\{ (.+) \}\}$/.exec(ACTION.inputs.command.default) ?? [];
  const chosen = (event_name: string, ref: string) =>
    new Function('github', 'format', `return ${expression}`)(
      { event_name, ref, event: { repository: { default_branch: 'main' } } },
      (text: string, value: string) => text.replace('{0}', value),
    );
  expect(chosen('push', MAIN)).toBe('push');
  for (const [event, ref] of [
    ['push', 'refs/heads/feature'],
    ['pull_request_target', MAIN],
    ['workflow_dispatch', MAIN],
  ] as const)
    expect(chosen(event, ref)).toBe('diff');
});

test('a failure updates the comment and annotates the files; without a summary file it still says why', async () => {
  app.commit({ hello: 'Hello\n' });
  await runAction({ command: 'diff' });
  app.write('bad%2Cname', '---\ntags: [\n---\nHello\n');
  const failed = await runAction({ command: 'diff' });
  expect(failed.out).toMatch(
    new RegExp(
      `^::error file=prompts/${team}/bad%252Cname\\.prompt,line=\\d,col=\\d::"${team}/bad%252Cname`,
      'm',
    ),
  );
  expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('"cuevault diff" failed')]);
  const silent = await runAction({ command: 'diff' }, { summary: '', apart: true });
  expect(silent).toMatchObject({ code: 2, out: expect.stringContaining('::notice ::The job summary') });

  rmSync(join(app.folder, 'prompts', `${team}/bad%2Cname.prompt`));
  await runAction({ command: 'push' });
  const post = (path: string, body: object) => instance.post(`/api/prompt/${path}`, body, apiKey);
  const edited = { name: `${team}/hello`, content: { prompt: 'Edited' }, base: '1.0.0' };
  expect((await post('publish', edited)).status).toBe(200);
  const drift = await runAction({ command: 'push' });
  expect(drift.code).toBe(9);
  expect(drift.out).toContain(`::error file=prompts/${team}/hello.prompt::Nothing was published.`);
});

test('everything that the action uses is pinned, to the versions of this repository', () => {
  for (const { uses } of ACTION.runs.steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  const dependenciesOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).dependencies;
  expect(dependenciesOf('package.json')).toMatchObject(dependenciesOf('action/package.json'));
  const { packages } = JSON.parse(readFileSync('action/package-lock.json', 'utf8'));
  const all = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  for (const name of ['canonicalize', 'diff', 'yaml'])
    expect(packages[`node_modules/${name}`]).toMatchObject({
      integrity: all[`node_modules/${name}`].integrity,
    });
});
