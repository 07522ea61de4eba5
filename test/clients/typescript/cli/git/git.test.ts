import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promptIdOf } from '../../../../../lambdas/core/identifiers.ts';
import { ask } from '../../../../support/admin.ts';
import { newFolder } from '../../../../support/new-folder.ts';
import { instance, withSharedInstance } from '../../../../support/shared/instance.ts';
import { uniqueName } from '../../../../support/unique-name.ts';
import { finish, startCli } from '../processes.ts';
import { GIT, newProject, type Project, projectIn } from './project.ts';

/** What the names of a test begin with: the API key sees no others. */
let team: string;
let apiKey: string;
let app: Project;

withSharedInstance();

beforeEach(async () => {
  team = uniqueName('team');
  const key = {
    name: 'ci',
    permissions: ['publish'] as const,
    prompts: [`${team}/*`],
    labels: ['staging', team],
  };
  ({ apiKey } = await instance.newKey(key));
  app = newProject(instance, apiKey, 'acme/app', team);
});

const done = async (running: ReturnType<Project['cuevault']>): Promise<string> => {
  const { code, out, err } = await running;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

/** How a command ends that says this and does nothing. */
const refusal = (code: number, text: string) => ({ code, out: '', err: expect.stringContaining(text) });

const succeeds =
  (command: string) =>
  (...options: readonly string[]) =>
    done(app.cuevault(command, 'prompts', ...options));
const push = succeeds('push');
const pull = succeeds('pull');
const diff = succeeds('diff');

const stops = async (code: number, text: string, ...options: readonly string[]) =>
  expect(await app.cuevault('push', 'prompts', ...options)).toEqual(refusal(code, text));

const stateOf = async (name: string) => {
  const { prompt } = await ask('prompts-get', { promptId: promptIdOf(`${team}/${name}`) });
  return { latest: prompt.latest, labels: prompt.labels };
};

const versionOf = async (name: string, version: string) =>
  (await ask('versions-get', { promptId: promptIdOf(`${team}/${name}`), version })).version;

/** An operator publishes a version in the admin UI. */
const edit = (name: string, prompt: string) =>
  ask('versions-publish', { promptId: promptIdOf(`${team}/${name}`), prompt, note: 'Edited', bump: 'minor' });

test('two repositories: an edit of an operator is found, pulled and pushed; labels are moved together and undone', async () => {
  const other = newProject(instance, apiKey, 'acme/other', team);
  other.commit({ bye: 'Bye {{user}}!\n' });
  await done(other.cuevault('push', 'prompts'));

  const first = app.commit({
    hello: 'Hello {{user}}!\n',
    thanks: '---\ndescription: Be polite\n---\nThank you!\n',
  });
  expect((await app.cuevault('diff', 'prompts', '--exit-code')).code).toBe(8);
  expect(await push('--label', 'staging')).toContain('2 create, 1 unmanaged');
  const one = [{ label: 'staging', version: '1.0.0' }];
  expect([await stateOf('hello'), await stateOf('thanks')]).toEqual([
    { latest: '1.0.0', labels: one },
    { latest: '1.0.0', labels: one },
  ]);
  expect(await diff('--exit-code')).toBe('Prompts: 2 unchanged, 1 unmanaged.\n');

  await edit('hello', 'Good morning {{user}}!');
  const edited = `--- Cuevault ${team}/hello 1.1.0\n+++ ${team}/hello.prompt\n@@ -1 +1 @@\n-Good morning`;
  expect(await app.cuevault('diff', 'prompts', '--exit-code')).toMatchObject({
    code: 9,
    out: expect.stringMatching(new RegExp(`^drift.+\\n\\n${edited.replaceAll('+', '\\+')}`)),
  });
  app.commit({ thanks: 'Thanks!\n' });
  await stops(9, `"${team}/hello" (drift)`);
  expect((await stateOf('thanks')).latest).toBe('1.0.0');

  await pull();
  expect(app.read('hello')).toBe('---\ndescription: Edited\n---\nGood morning {{user}}!\n');
  app.commit();
  await push('--label', 'staging');
  const two = [{ label: 'staging', version: '1.1.0' }];
  expect([await stateOf('hello'), await stateOf('thanks')]).toEqual([
    { latest: '1.1.0', labels: two },
    { latest: '1.1.0', labels: two },
  ]);
  expect(first).not.toBe(app.git('rev-parse', 'HEAD'));

  const moves = ['hello', 'thanks'].map((name) => ({
    name: `${team}/${name}`,
    label: 'staging',
    from: '1.1.0',
    to: '1.0.0',
  }));
  await ask('labels-move', { moves });
  expect(await stateOf('hello')).toEqual({ latest: '1.1.0', labels: one });

  // The repository knows the pulled version now: the next change is no conflict.
  app.commit({ hello: 'Good evening {{user}}!\n' });
  expect(await push()).toContain('1.1.0 -> 1.2.0');
});

test('a conflict is left alone, and taken from the service with --overwrite, as the message says', async () => {
  app.commit({ hello: 'One\n' });
  await push();
  await edit('hello', 'Two');
  app.commit({ hello: 'Three\n' });
  const left = await app.cuevault('pull', 'prompts');
  expect({ ...left, file: app.read('hello') }).toMatchObject({
    code: 9,
    out: 'Written: no prompts.\n',
    err: 'cuevault: Files in conflict were left as they are; --overwrite replaces them.\n',
    file: 'Three\n',
  });
  await pull('--overwrite');
  expect(app.read('hello')).toBe('---\ndescription: Edited\n---\nTwo\n');
});

test('a file whose name has its accents apart is published once it is named as it says', async () => {
  app.commit({ 're\u0301ponse': 'One\n', 'r%C3%A9ponse': 'One\n' });
  const advice = `For the prompt "${team}/r\u00e9ponse", rename it to "${team}/r%C3%A9ponse.prompt".`;
  await stops(2, advice);
  app.git('rm', '--quiet', `prompts/${team}/re\u0301ponse.prompt`);
  app.commit();
  await push();
  expect((await stateOf('r\u00e9ponse')).latest).toBe('1.0.0');
});

test('types are those of a name with @, unless it is a name and its label', async () => {
  const names = [`${team}/me@home`, `${team}/you`, `${team}/you@home`];
  for (const name of names) {
    const body = { name, prompt: `{{${name.split('/')[1]}}}`, ...(name === names[1] && { label: 'home' }) };
    await ask('prompts-create', body);
  }
  const reader = projectIn(app.folder, instance, (await instance.newKey()).apiKey);
  const variablesOf = async (reference: string) =>
    (await done(reader.cuevault('types', reference))).match(/"?([\w@]+)"?: unknown/)?.[1];
  expect(await variablesOf(`${team}/me@home`)).toBe('me@home');
  expect(await variablesOf(`${team}/you@home`)).toBe('you');
  expect(await variablesOf(`${team}/you@home@latest`)).toBe('you@home');
  const { err } = await reader.cuevault('types', `${team}/none@home`);
  expect(err).toContain(`"${team}/none@home"`);
});

test('invisible characters that people paste travel as escapes, and only raw ones in changed files are refused, all at once', async () => {
  const pasted = 'one\u2028two\u000bthree 👩‍💻 ';
  app.commit({ hello: 'One\n' });
  await push();
  await edit('hello', pasted);
  await pull();
  const header = '---\ndescription: Edited\ncuevault.escapes: true\n---\n';
  expect(app.read('hello')).toBe(`${header}one\\u2028two\\u000bthree 👩‍💻\\u0020\n`);
  app.commit();
  expect(await push('--dry-run')).toBe('Dry run: 1 unchanged.\n');
  expect(await push()).toBe('Pushed: 1 unchanged.\n');

  // As an older client wrote it: the content is the same, so nothing is published and nothing refused.
  app.write('hello', '---\ndescription: Edited\n---\none\u2028two\u000bthree 👩‍💻\n');
  await edit('hello', 'one\u2028two\u000bthree 👩‍💻');
  app.commit();
  expect(await push()).toBe('Pushed: 1 unchanged.\n');

  app.commit({
    hello: 'one\u2028two\n',
    open: '---\nmodel: m\nText\n',
    page: `---\ncuevault.includes: [${team}/none]\n---\n{{> "${team}/none"}}\n`,
    empty: '',
    good: 'Good\n',
  });
  const lines = [
    `cuevault: "${team}/empty.prompt": "content.prompt" must not be empty.*`,
    `cuevault: "${team}/hello.prompt": Line 1, column 4: U\\+2028 does not show.+`,
    `cuevault: "${team}/open.prompt": Line 1, column 1: The header that begins here has no end.+`,
    `cuevault: "${team}/page.prompt": Line 2, column 21: It includes .+ without a version.+`,
  ];
  const all = { out: '', err: expect.stringMatching(new RegExp(`^${lines.join('\n')}\n$`)) };
  for (const command of [['diff'], ['push', '--dry-run'], ['push']])
    expect(await app.cuevault(...command, 'prompts')).toMatchObject(all);

  // What can be written is written; a bad file is left alone.
  await edit('hello', 'Clean');
  await ask('prompts-create', { name: `${team}/HELLO`, prompt: 'Twin' });
  await ask('prompts-create', { name: `${team}/new`, prompt: 'New' });
  const pulled = await app.cuevault('pull', 'prompts', '--all', '--overwrite');
  expect(pulled.err).toContain(`"${team}/HELLO" is left out: `);
  expect(pulled.err).toContain('differ only in case');
  expect(pulled.err).toContain('/open.prompt": Line 1');
  expect([pulled.code, app.read('new')]).toEqual([2, 'New\n']);
  expect(app.read('hello')).toContain('Clean\n');
  expect(app.read('open')).toBe('---\nmodel: m\nText\n');
});

test('the rerun of an old job and a shallow clone publish nothing', async () => {
  const old = app.commit({ hello: 'One\n' });
  await push();
  app.commit({ hello: 'Two\n' });
  await push();

  app.git('checkout', '--quiet', old);
  await stops(9, 'not an ancestor of HEAD');
  app.git('checkout', '--quiet', 'main');

  app.commit({ hello: 'Three\n' });
  const clone = projectIn(newFolder(), instance, apiKey);
  clone.git('clone', '--quiet', '--depth', '1', `file://${app.folder}`, '.');
  expect(await clone.cuevault('push', 'prompts')).toEqual(refusal(2, '--repository'));
  const shallow = await clone.cuevault('push', 'prompts', '--repository', 'acme/app');
  expect(shallow).toEqual(refusal(9, 'git fetch --unshallow'));
  expect((await stateOf('hello')).latest).toBe('1.1.0');
  clone.git('fetch', '--quiet', '--unshallow');
  await done(clone.cuevault('push', 'prompts', '--repository', 'acme/app'));
  expect((await stateOf('hello')).latest).toBe('1.2.0');
});

test('a fragment is included by the version that this push gives it; one that is not there is refused before anything is published, with its line', async () => {
  const include = (name: string, version: string) => {
    const header = `---\ncuevault.includes: [${team}/${name}@${version}]\n---\n`;
    app.commit({ page: `${header}{{> "${team}/${name}"}} Answer.\n` });
  };
  app.write('z', 'Be kind.\n');
  for (const [name, version] of [
    ['none', '1.0.0'],
    ['z', '2.0.0'],
  ] as const) {
    include(name, version);
    for (const dry of [[], ['--dry-run']]) await stops(1, '/page.prompt": Line 2, column 21: ', ...dry);
  }
  include('z', '1.0.0');
  expect(await push('--dry-run')).toContain('2 create');
  await push();
  expect(await versionOf('page', '1.0.0')).toMatchObject({ expanded: 'Be kind. Answer.' });
});

test('fragments are published first and pinned; an edited one is pulled, published again, and leaves nothing to compare', async () => {
  const include = (name: string) =>
    `---\ncuevault.includes: [${team}/${name}]\n---\n{{> "${team}/${name}"}} Answer {{question}}.\n`;
  app.commit({ 'a%20reply': include('z-tone'), 'z-tone': 'Be {{tone}}.\n' });
  const dry: { prompts: { name: string; status: string; next?: string }[] } = JSON.parse(
    await push('--dry-run', '--format', 'json'),
  );
  // The version of a fragment is known only after it was published.
  expect(dry.prompts.map(({ name, status, next }) => [name.split('/')[1], status, next])).toEqual([
    ['a reply', 'create', undefined],
    ['z-tone', 'create', '1.0.0'],
  ]);
  await push();
  expect(await versionOf('a reply', '1.0.0')).toMatchObject({
    expanded: 'Be {{tone}}. Answer {{question}}.',
    includes: [`${team}/z-tone@1.0.0`],
  });
  expect(await diff('--exit-code')).toBe('Prompts: 2 unchanged.\n');

  // An operator edits the fragment: pulling it changes what includes it here, so both are published.
  await edit('z-tone', 'Be very {{tone}}.');
  await pull();
  app.commit();
  expect(await push()).toContain(`publish   "${team}/a reply" 1.0.0 -> 1.1.0`);
  expect(await versionOf('a reply', '1.1.0')).toMatchObject({
    includes: [`${team}/z-tone@1.1.0`],
  });

  // An operator edits what includes it: the file keeps leaving the version open.
  await ask('versions-publish', {
    promptId: promptIdOf(`${team}/a reply`),
    prompt: `{{> "${team}/z-tone"}} Reply to {{question}}.`,
    includes: [`${team}/z-tone@1.1.0`],
    note: 'Shorter',
    bump: 'minor' as const,
  });
  await pull();
  expect(app.read('a%20reply')).toContain(`includes:\n  - ${team}/z-tone\n`);
  app.commit();
  expect(await push()).toBe('Pushed: 2 unchanged.\n');
});

test('a renamed file is published under its new name, and an edit of the old name is not pulled into it', async () => {
  app.commit({ old: 'Hello {{user}}!\n' });
  await push();
  app.git('mv', `prompts/${team}/old.prompt`, `prompts/${team}/new.prompt`);
  app.commit();
  expect(await diff()).toContain(`renamed   "${team}/new" 1.0.0 (was "${team}/old")`);
  expect(await pull()).toBe('Written: no prompts.\n');
  const gone = `1 prompt that this repository published has no file here: "${team}/old". Whoever`;
  expect(await push()).toContain(gone);
  await edit('old', 'Good day {{user}}!');
  expect(await pull()).toBe('Written: no prompts.\n');
  expect(app.read('new')).toBe('Hello {{user}}!\n');
  expect((await app.cuevault('diff', 'prompts', '--exit-code')).code).toBe(0);
  const { prompts } = JSON.parse(await diff('--format', 'json'));
  expect(prompts).toContainEqual(expect.objectContaining({ name: `${team}/old`, status: 'gone' }));
  expect(await diff('--format', 'markdown')).toContain(
    '\n\n1 prompt that this repository published has no file here: <code>',
  );
  // In another folder of the repository it never had a file.
  app.git('mv', 'prompts', 'others');
  app.git('commit', '--quiet', '--message', 'Move');
  app.write('.keep', '');
  expect(await done(app.cuevault('pull', 'others', '--all'))).toBe('Written: 1 unmanaged.\n');
  expect(await pull('--all')).toBe('Written: 2 unmanaged.\n');
  expect(app.read('old')).toContain('Good day {{user}}!');
});

test('of two pushes of one prompt at once, one wins, and the other is told', async () => {
  const other = newProject(instance, apiKey, 'acme/app', team);
  for (const [project, text] of [
    [app, 'Mine\n'],
    [other, 'Yours\n'],
  ] as const) {
    project.commit({ hello: text });
  }
  const env = { ...process.env, ...GIT, CUEVAULT_URL: instance.url, CUEVAULT_API_KEY: apiKey };
  const start = ({ folder: cwd }: Project) => finish(startCli(['push', 'prompts'], { cwd, env }));
  const ends = await Promise.all([app, other].map(start));
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 9]);
  expect((await stateOf('hello')).latest).toBe('1.0.0');
});

test('what the service would refuse, such as a protected label, is named before anything is published, in a dry run too', async () => {
  app.commit({ empty: '', hello: 'Hello\n' });
  const named = expect.stringMatching(new RegExp(`^cuevault: "${team}/empty.prompt": .+\n$`));
  expect(await app.cuevault('diff', 'prompts')).toEqual({ code: 1, out: '', err: named });
  const refused = async (...args: string[]) => {
    const dry = await app.cuevault('push', 'prompts', '--dry-run', ...args);
    expect(await app.cuevault('push', 'prompts', ...args)).toEqual(dry);
    return dry;
  };
  expect(await refused()).toEqual({ code: 1, out: '', err: named });
  app.commit({ empty: 'Full\n' });
  const err = 'cuevault: This API key may not move the label "other".\n';
  expect(await refused('--label', 'other')).toEqual({ code: 3, out: '', err });
  expect(await diff()).toContain('2 create');
  await push();
  app.commit({ next: 'Next\n' });
  await ask('labels-protect', { label: team });
  expect(await refused('--label', team)).toEqual(refusal(3, `"${team}" is protected`));
  await ask('labels-unprotect', { label: team });
  expect(await diff()).toContain('1 create');
});

test('a dry run in Markdown names versions, variables and differences, and nothing of a prompt is markup', async () => {
  app.commit({ hello: 'Hello {{user}}!\n' });
  await push();
  app.commit({ hello: 'Hello {{name}}!\n```\n</details>\n', 'a%7Cb': 'New\n' });
  const page = await push('--dry-run', '--format', 'markdown', '--label', 'staging');
  const named = (name: string) => `<code>${team.replace('_', '&#95;')}/${name}</code>`;
  expect(page).toBe(`### Dry run

1 create, 1 publish

| prompt | change | now | next | variables |
| --- | --- | --- | --- | --- |
| ${named('a&#124;b')} | create | - | 1.0.0 |  |
| ${named('hello')} | publish | 1.0.0 | 2.0.0 **breaking** | <code>&#43;name</code> <code>-user</code> |

| label | prompt | from | to |
| --- | --- | --- | --- |
| <code>staging</code> | ${named('a&#124;b')} | - | 1.0.0 |
| <code>staging</code> | ${named('hello')} | - | 2.0.0 |

<details><summary>${named('a&#124;b')}</summary>

\`\`\`diff
--- /dev/null
+++ ${team}/a%7Cb.prompt
@@ -0,0 +1 @@
+New
\`\`\`

</details>

<details><summary>${named('hello')}</summary>

\`\`\`\`diff
--- Cuevault ${team}/hello 1.0.0
+++ ${team}/hello.prompt
@@ -1 +1,3 @@
-Hello {{user}}!
+Hello {{name}}!
+\`\`\`
+</details>
\`\`\`\`

</details>
`);
  expect((await stateOf('hello')).latest).toBe('1.0.0');
});

test('nothing is published from files that are not committed, links are not followed, and a missing folder is named', async () => {
  app.commit({ hello: 'Hello\n' });
  app.write('hello', 'Hello!\n');
  await stops(2, 'Commit the prompt files first');
  symlinkSync('/etc', join(app.folder, 'prompts/etc'));
  expect(await app.cuevault('diff', 'prompts')).toEqual(refusal(2, 'symbolic link'));
  const err = 'cuevault: The folder "promtps" cannot be read (ENOENT).\n';
  expect(await app.cuevault('pull', 'promtps')).toEqual({ code: 2, out: '', err });
});

test('what only a person can decide says what to do, and the same push then continues', async () => {
  const key = { permissions: ['publish'] as const, prompts: [`${team}/*`], mostPrompts: 1 };
  const few = newProject(instance, (await instance.newKey(key)).apiKey, 'acme/few', team);
  few.commit({ one: 'One\n' });
  await done(few.cuevault('push', 'prompts'));
  few.commit({ two: 'Two\n' });
  const full = 'Have an administrator delete prompts, which count for eight more days, or push with a key';
  for (const args of [[], ['--dry-run']])
    expect(await few.cuevault('push', 'prompts', ...args)).toEqual(refusal(1, full));
  const params = { promptId: promptIdOf(`${team}/one`) };
  await ask('prompts-delete', params);
  few.git('rm', '--quiet', `prompts/${team}/two.prompt`);
  few.commit();
  const advice = 'Have an operator restore or create it in the admin UI, or remove its file.';
  expect((await few.cuevault('push', 'prompts')).err).toContain(advice);
  await ask('prompts-restore', params);
  expect(await done(few.cuevault('push', 'prompts'))).toContain('1 unchanged');
});
