import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptIdOf } from '../../../../lambdas/core/identifiers.ts';
import { ask } from '../../../support/admin.ts';
import { newFolder } from '../../../support/new-folder.ts';
import { withServer } from '../../../support/server.ts';
import { instance, withSharedInstance } from '../../../support/shared/instance.ts';
import { uniqueName } from '../../../support/unique-name.ts';
import { runCli } from './processes.ts';

/** A version as `GET /api/public/v2/prompts/{name}` of Langfuse returns it. */
interface Version {
  readonly type: 'text' | 'chat';
  readonly prompt: unknown;
  readonly config: unknown;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  readonly commitMessage?: string | null;
}
type Project = { readonly [name: string]: { readonly [version: number]: Version } };

const text = (prompt: string, more: Partial<Version> = {}): Version => ({
  type: 'text',
  prompt,
  config: {},
  labels: [],
  tags: [],
  commitMessage: null,
  ...more,
});

const KEYS = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-1' };

let project: Project = {};
/** Replies that say "too many requests", before all others. */
let busy = 0;
const folder = newFolder();
let team: string;
let apiKey: string;

/** What Langfuse's OpenAPI document says of its two reads: pages of at most 100 prompts, and one version of a prompt. */
const answer = (url: URL): readonly [number, object] => {
  if (url.pathname.startsWith('/other')) return [404, { message: 'Not found' }];
  if (url.pathname.startsWith('/pageless')) return [200, { data: [], meta: { page: 1 } }];
  if (url.pathname.startsWith('/endless')) return [200, { data: [{ name: 'x' }], meta: { totalPages: 1e9 } }];
  if (url.pathname.startsWith('/huge')) return [200, { data: ['x'.repeat(2 ** 24)] }];
  const [, encoded] = /^\/api\/public\/v2\/prompts(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
  const number = (name: string) => Number(url.searchParams.get(name));
  if (encoded === undefined) {
    const names = Object.keys(project).sort();
    const page = number('page');
    const limit = Math.min(number('limit'), 2);
    const data = names.slice((page - 1) * limit, page * limit).map((name) => {
      const all = Object.values(project[name] ?? {});
      const versions = Object.keys(project[name] ?? {}).map(Number);
      const { type, config: lastConfig } = all.at(-1) ?? {};
      const labels = all.flatMap((version) => version.labels);
      const at = { lastUpdatedAt: '2026-05-01T12:00:00.000Z', lastConfig };
      return { name, type, versions, labels, tags: [], ...at };
    });
    const totalPages = Math.ceil(names.length / limit);
    return [200, { data, meta: { page, limit, totalItems: names.length, totalPages } }];
  }
  const name = decodeURIComponent(encoded);
  const version = project[name]?.[number('version')];
  if (version === undefined)
    return [404, { message: `Prompt not found: '${name}'`, error: 'LangfuseNotFoundError' }];
  return [200, { name, version: number('version'), ...version, resolutionGraph: null }];
};

withSharedInstance();
const langfuse = withServer(({ url = '', headers }, response) => {
  const basic = `Basic ${Buffer.from('pk-lf-1:sk-lf-1').toString('base64')}`;
  const [status, body] =
    headers.authorization !== basic
      ? [401, { message: 'Invalid credentials. Confirm that you have configured the correct host.' }]
      : busy-- > 0
        ? [429, { message: 'Rate limit exceeded' }]
        : answer(new URL(url, 'http://langfuse'));
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  response.end(JSON.stringify(body));
});

beforeEach(async () => {
  team = uniqueName('team');
  const key = {
    permissions: ['publish'] as const,
    prompts: [`${team}/*`],
    labels: ['production', 'staging'],
  };
  ({ apiKey } = await instance.newKey({ name: 'import', ...key }));
});

const cuevault = (args: string[], env: object = KEYS) =>
  runCli(['import', ...args], { CUEVAULT_URL: instance.url, CUEVAULT_API_KEY: apiKey, ...env });

const fromLangfuse = (...args: string[]) => cuevault(['langfuse', '--from', `${langfuse.url}/`, ...args]);

const promptOf = async (name: string) =>
  (await ask('prompts-get', { promptId: promptIdOf(`${team}/${name}`) })).prompt;

const versionOf = async (name: string, version: string) =>
  (await ask('versions-get', { promptId: promptIdOf(`${team}/${name}`), version })).version;

test('names, versions, labels, chats, config, tags and notes come from Langfuse; again changes nothing', async () => {
  const messages = [
    { type: 'chatmessage', role: 'system', content: 'You are {{tone}}.' },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: '{{question}}' },
  ];
  const chat: Version = {
    type: 'chat',
    prompt: messages,
    config: { model: 'gpt-5', temperature: 0.2 },
    tags: ['b', 'a'],
    labels: ['production', 'latest'],
    commitMessage: 'Kinder',
  };
  project = {
    [`${team}/a folder/reply & more`]: {
      1: text('Hello {{user}}'),
      3: text('Hello {{user}}', { tags: ['x'] }),
      10: chat,
    },
    [`${team}/other`]: { 1: text('One', { labels: ['staging'] }), 2: text('Two', { labels: ['latest'] }) },
    [`${team}/third`]: { 1: text('Third {{x}}', { labels: ['latest'], config: null }) },
  };
  busy = 3;
  const dry = await fromLangfuse();
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toContain('Dry run: 6 versions of 3 prompts, 2 labels; 0 unchanged, 0 skipped.');
  expect(dry.out).toContain('"production", "staging"');
  await expect(promptOf('other')).rejects.toThrow();

  expect(await fromLangfuse('--write')).toMatchObject({ code: 0, err: '' });
  expect(await promptOf('a folder/reply & more')).toMatchObject({
    latest: '10.0.0',
    labels: [{ label: 'production', version: '10.0.0' }],
  });
  expect(await versionOf('a folder/reply & more', '3.0.0')).toMatchObject({
    prompt: 'Hello {{user}}',
    tags: ['x'],
  });
  expect(await versionOf('a folder/reply & more', '10.0.0')).toMatchObject({
    type: 'chat',
    messages: [{ role: 'system', content: 'You are {{tone}}.' }, messages[1], messages[2]],
    config: { model: 'gpt-5', temperature: 0.2 },
    tags: ['b', 'a'],
    note: 'Kinder',
  });
  expect(await promptOf('other')).toMatchObject({
    latest: '2.0.0',
    labels: [{ label: 'staging', version: '1.0.0' }],
  });

  const again = await fromLangfuse('--write');
  expect(again).toMatchObject({
    code: 0,
    out: 'Written: 0 versions of 0 prompts, 0 labels; 3 unchanged, 0 skipped.\n',
  });

  // Langfuse goes on, and so does someone here: a label that points elsewhere is not moved back unasked.
  project = {
    [`${team}/other`]: { 1: text('One'), 2: text('Two'), 3: text('Three', { labels: ['staging'] }) },
  };
  const later = await fromLangfuse('--write');
  expect(later).toMatchObject({ code: 1, out: expect.stringContaining('1.0.0 -> 3.0.0: left where it is') });
  expect((await promptOf('other')).labels).toEqual([{ label: 'staging', version: '1.0.0' }]);
  expect((await fromLangfuse('--write', '--move-labels')).code).toBe(0);
  expect((await promptOf('other')).labels).toEqual([{ label: 'staging', version: '3.0.0' }]);
});

test('a prompt that does not fit is named and left out entirely, and the others are written', async () => {
  project = {
    [`${team}/fits`]: { 1: text('Fits') },
    [`${team}/list`]: { 1: text('x'), 2: text('y', { config: ['a'] }) },
    [`${team}/role`]: {
      1: text('x'),
      2: { ...text(''), type: 'chat', prompt: [{ role: 'tool', content: 'x' }] },
    },
    [`${team}/huge`]: { 1: text('x'), 2: text('x'.repeat(400_000)) },
  };
  const { code, out } = await fromLangfuse('--write');
  expect(code).toBe(1);
  expect(out).toContain('Written: 1 version of 1 prompt, 0 labels; 0 unchanged, 3 skipped.');
  expect(out).toContain(`skipped   "${team}/list" version 2: its config is not an object`);
  expect(out).toMatch(/\/role" version 2\.0\.0: .*system, developer, user or assistant/);
  expect(out).toMatch(/\/huge" version 2\.0\.0: .*262144 bytes/);
  await expect(promptOf('role')).rejects.toThrow();
  expect(await promptOf('fits')).toMatchObject({ latest: '1.0.0' });

  project = { [`${team}/fits`]: { 1: text('Changed afterwards') } };
  expect((await fromLangfuse('--write')).out).toContain('1.0.0 exists and has another content');
});

test('a label or a name that the key may not change is named, and all other prompts are written', async () => {
  const elsewhere = uniqueName('elsewhere');
  project = {
    [`${team}/free`]: { 1: text('Free', { labels: ['staging'] }) },
    [`${team}/refused`]: { 1: text('Refused', { labels: ['unlisted', 'production', '_canary'] }) },
    [elsewhere]: { 1: text('Elsewhere') },
  };
  const refusal = /\/refused" labels: This API key may not move the label "unlisted", "_canary"\.\n/;
  expect((await fromLangfuse()).out).toMatch(refusal);
  const { code, out } = await fromLangfuse('--write');
  expect(code).toBe(1);
  expect(out).toContain('Written: 2 versions of 2 prompts, 2 labels; 0 unchanged, 2 skipped.');
  expect(out).toMatch(refusal);
  expect(out).toContain(`skipped   "${elsewhere}" version 1.0.0: This API key may not publish`);
  expect(await promptOf('free')).toMatchObject({ labels: [{ label: 'staging', version: '1.0.0' }] });
  expect(await promptOf('refused')).toMatchObject({ latest: '1.0.0', labels: [{ label: 'production' }] });
});

test.each([
  ['keys that Langfuse rejects', { ...KEYS, LANGFUSE_SECRET_KEY: 'sk-lf-2' }, [], 3, 'rejected the keys'],
  ['keys that are not set', { LANGFUSE_PUBLIC_KEY: '' }, [], 2, 'Set LANGFUSE_PUBLIC_KEY'],
  ['an address where nothing answers', KEYS, ['--from', 'http://127.0.0.1:1'], 5, 'cannot be reached ('],
  ['an address of something else', KEYS, ['--from', 'ADDRESS/other'], 5, 'answers with: Not found'],
  ['a list that does not say how long it is', KEYS, ['--from', 'ADDRESS/pageless'], 5, 'another form'],
  ['a list that never ends', KEYS, ['--from', 'ADDRESS/endless'], 5, 'does not end'],
  ['a reply of any size', KEYS, ['--from', 'ADDRESS/huge'], 5, 'more than 8 MB'],
  ['an address that is not encrypted', KEYS, ['--from', 'http://langfuse.example.com'], 2, 'unencrypted'],
  [
    'an API key that may not publish these prompts',
    { ...KEYS, CUEVAULT_API_KEY: 'cue_x' },
    [],
    3,
    'rejected',
  ],
])('%s: one sentence, and nothing is written', async (_, env, args, code, sentence) => {
  project = { [`${team}/x`]: { 1: text('x') } };
  const given = args.map((each) => each.replace('ADDRESS', langfuse.url));
  const { err, ...ended } = await cuevault(['langfuse', '--from', langfuse.url, ...given, '--write'], env);
  expect(ended).toMatchObject({ code, out: '' });
  expect(err).toContain(sentence);
});

test("an export of OpenLIT's database: published versions, with what it escaped as the author wrote it", async () => {
  const row = (name: string, version: string, prompt: string, more: object = {}) =>
    JSON.stringify({
      name: `${team}/${name}`,
      version,
      status: 'PUBLISHED',
      prompt,
      tags: '[]',
      metaProperties: '{}',
      ...more,
    });
  const file = join(folder, 'openlit.jsonl');
  const lines = [
    row('welcome', '1.10.0', 'Don\\\'t say \\"no\\",\\n{{user}}!', {
      tags: '[\\"a\\"]',
      metaProperties: '{"owner":"ml"}',
    }),
    row('welcome', '1.9.0', `Don't say "C:\\new"`),
    row('welcome', '1.11.0', 'Unfinished', { status: 'DRAFT' }),
    row('odd', 'v2', 'x'),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, out } = await cuevault(['openlit', file, '--write']);
  expect(code).toBe(1);
  expect(out).toContain('"v2" is not MAJOR.MINOR.PATCH');
  expect(await promptOf('welcome')).toMatchObject({ latest: '1.10.0' });
  expect(await versionOf('welcome', '1.10.0')).toMatchObject({
    prompt: `Don't say "no",\n{{user}}!`,
    tags: ['a'],
    metaProperties: { owner: 'ml' },
  });
  expect(await versionOf('welcome', '1.9.0')).toMatchObject({ prompt: `Don't say "C:\\new"` });
  writeFileSync(file, 'name,version\n');
  expect(await cuevault(['openlit', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('one JSON object'),
  });
});
