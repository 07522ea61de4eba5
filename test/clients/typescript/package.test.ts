import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { VERSION } from '../../../clients/typescript/src/version.ts';
import { newFolder } from '../../support/new-folder.ts';
import { finish, start } from './cli/processes.ts';
import { API_KEY, type FakeService, PROMPT, startFakeService } from './fake-service.ts';

const PACKAGE = 'clients/typescript';
const README = readFileSync(`${PACKAGE}/README.md`, 'utf8');
const REFERENCE = readFileSync('docs/reference/client-typescript.md', 'utf8');

interface Problem {
  readonly kind: string;
  readonly resolutionKind?: string;
}

/** A chat with declared variables. */
const REPLY = {
  ...PROMPT,
  name: 'reply',
  prompt: '',
  messages: [
    { role: 'user', content: '{{tone}} {{count}} {{items}} {{any}}' },
    { type: 'placeholder', name: 'history' },
  ],
  variables: {
    tone: { type: 'string', enum: ['kind', 'formal'], default: 'kind' },
    count: { type: 'integer' },
    items: { type: 'array' },
  },
};

let project: string;
let service: FakeService;

const npm = (args: string[], cwd: string): string =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });

/** The arguments of a line for npm in the README, without its comment. */
const lineFor = (command: string): string[] =>
  new RegExp(`^npm (${command} [^#\\n]*)`, 'm').exec(README)?.[1]?.trim().split(' ') ?? [];

/** Packs the package and installs it into an empty project, with the commands of the README. */
beforeAll(async () => {
  service = await startFakeService({ TOKEN: 'swordfish' }, [REPLY]);
  project = newFolder();
  npm([...lineFor('pack'), '--pack-destination', project], '.');
  writeFileSync(join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}');
  npm(
    lineFor('install').map((part) => part.replace('path/to/cuevault', project)),
    project,
  );
});

afterAll(() => service.stop());

const run = async (command: string, args: string[]) => {
  // Warnings of npm are about the settings of the user who runs the tests.
  const env = {
    ...process.env,
    npm_config_loglevel: 'error',
    CUEVAULT_URL: service.url,
    CUEVAULT_API_KEY: API_KEY,
  };
  const { code, out, err } = await finish(start(command, args, { cwd: project, env }));
  return { code, out, err };
};

const node = (program: string) => run(process.execPath, ['--input-type=module', '--eval', program]);

const section = (title: string): string =>
  REFERENCE.split(/^## /m).find((part) => part.startsWith(title)) ?? '';

test('the package contains the build, README, changelog and license, and has no dependencies', () => {
  const declarations = ['-not', '-name', '*.d.ts', '-not', '-name', '*.d.cts'];
  const listed = execFileSync('find', ['node_modules', '-type', 'f', ...declarations], { cwd: project });
  const files = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/cli.js',
    ...['LICENSES.txt', ...Array(6).fill('chunk.js'), 'commands.js', 'environment.js', 'mcp.js'].map(
      (file) => `dist/cli/${file}`,
    ),
    ...['adapters', 'environment', 'index', 'offline', 'otel', 'testing'].flatMap((entry) => [
      `dist/${entry}.js`,
      `dist/${entry}.cjs`,
    ]),
    'dist/workers.js',
    'package.json',
  ];
  expect(
    String(listed)
      .replace(/-[A-Z0-9]{8}\.js$/gm, '.js')
      .trim()
      .split('\n')
      .sort(),
  ).toEqual(
    ['node_modules/.package-lock.json', ...files.map((file) => `node_modules/cuevault/${file}`)].sort(),
  );
  expect(readFileSync(join(project, 'node_modules/cuevault/LICENSE'), 'utf8')).toBe(
    readFileSync('LICENSE', 'utf8'),
  );
  const bundled = readFileSync(join(project, 'node_modules/cuevault/dist/cli/LICENSES.txt'), 'utf8');
  expect(bundled.match(/^\S+ \d+\.\d+\.\d+$/gm)).toEqual([
    expect.stringContaining('canonicalize'),
    expect.stringContaining('diff'),
    expect.stringContaining('leven'),
    expect.stringContaining('yaml'),
  ]);
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/cuevault/package.json'), 'utf8'));
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  expect(dependencies).toBeUndefined();
  expect(Object.keys(peerDependencies)).toEqual([
    '@aws-sdk/client-sts',
    '@modelcontextprotocol/sdk',
    '@opentelemetry/api',
  ]);
  expect(Object.values(peerDependenciesMeta)).toEqual(Array(3).fill({ optional: true }));
  expect(manifest.version).toBe(VERSION);
  expect(readFileSync(`${PACKAGE}/CHANGELOG.md`, 'utf8')).toContain(`\n## ${VERSION}\n`);
});

test.each([['cuevault'], ['cuevault/adapters'], ['cuevault/offline'], ['cuevault/testing']])(
  '%s exports what the reference lists, and nothing else',
  async (entry) => {
    const program = `console.log(JSON.stringify(Object.keys(await import('${entry}'))))`;
    const exported: string[] = JSON.parse((await node(program)).out);
    const paragraph =
      section('Exports')
        .split('\n\n')
        .find((part) => part.startsWith(`\`${entry}\`:`)) ?? '';
    const documented = [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(exported.sort()).toEqual(documented.filter((name) => name !== entry).sort());
  },
);

test('the first lines of the README work as pasted', async () => {
  const [prompt = '', secrets = ''] = [...README.matchAll(/```ts\n([^`]*)```/g)].map(([, code = '']) => code);
  expect([prompt, secrets].map((code) => code.trim().split('\n').length)).toEqual([3, 2]);
  expect(await node(`${prompt}console.log(compiledPrompt)`)).toEqual({
    code: 0,
    out: 'Hello Ada!\n',
    err: '',
  });
  const program = `${secrets}console.log(err, res.TOKEN, process.env.TOKEN)`;
  expect(await node(program)).toEqual({ code: 0, out: 'null swordfish swordfish\n', err: '' });
});

test('both entries share the error classes', async () => {
  const program = `import { CuevaultError } from 'cuevault';
    import { offlineCopy } from 'cuevault/offline';
    try { offlineCopy({ directory: '.', maxAgeMs: 0 }) } catch (error) { console.log(error instanceof CuevaultError) }`;
  expect(await node(program)).toEqual({ code: 0, out: 'true\n', err: '' });
});

test('publint and attw find nothing wrong with the package', async () => {
  const tarball = readFileSync(join(project, `cuevault-${VERSION}.tgz`));
  const { problems } = (await checkPackage(
    createPackageFromTarballData(new Uint8Array(tarball)),
  )) as unknown as { problems: readonly Problem[] };
  // The module resolution before TypeScript 4.7, which TypeScript 7 dropped, does not support `exports`.
  expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([]);
  expect((await publint({ pkgDir: PACKAGE, strict: true })).messages).toEqual([]);
});

const REQUIRES = `const { Cuevault, CuevaultError, getSecrets } = require('cuevault');
const { offlineCopy } = require('cuevault/offline');
const { fakeCuevault } = require('cuevault/testing');
`;

test('every entry works with require, even without require(esm)', async () => {
  writeFileSync(
    join(project, 'use.cjs'),
    `${REQUIRES}try { offlineCopy({ directory: '.', maxAgeMs: 0 }) } catch (error) { console.log(error instanceof CuevaultError) }
fakeCuevault({ prompts: { a: 'Hi {{b}}' } }).client().prompts.get('a', { variables: { b: 1 } }).then(async (prompt) => {
  console.log(prompt.compiledPrompt, (await getSecrets({ shouldSetEnv: true })).err, process.env.TOKEN);
});`,
  );
  expect(await run(process.execPath, ['--no-experimental-require-module', 'use.cjs'])).toEqual({
    code: 0,
    out: 'true\nHi 1 null swordfish\n',
    err: '',
  });
});

test('Jest loads the package without settings, and the example of the README works in it', async () => {
  const [, example = ''] = /```js\n(\/\/ greeting\.test\.js[^`]*)```/.exec(README) ?? [];
  expect(example).toContain('fakeCuevault');
  writeFileSync(join(project, 'greeting.test.cjs'), example);
  const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
  const config = JSON.stringify({ testMatch: ['**/greeting.test.cjs'], transform: {} });
  const args = [jest, '--rootDir', project, '--config', config, '--runInBand'];
  expect(await run(process.execPath, args)).toMatchObject({
    code: 0,
    err: expect.stringContaining('1 passed'),
  });
});

test('the command is installed', async () => {
  expect(await run('npx', ['--offline', 'cuevault', '--version'])).toMatchObject({
    code: 0,
    out: `${VERSION}\n`,
  });
  const compared = await run('npx', ['--offline', 'cuevault', 'diff', '.']);
  expect(compared).toMatchObject({ code: 2, err: expect.stringContaining('is not in a git repository') });
  const command = ['cuevault', 'run', '--', 'sh', '-c', 'echo $TOKEN'];
  expect(await run('npx', ['--offline', ...command])).toMatchObject({ code: 0, out: 'swordfish\n' });
});

const CHECK = '--strict --noEmit --module nodenext --target es2022 --lib es2022,dom --types'.split(' ');

/** Checks the types of a file of the project. */
const check = (file: string) => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  return run(process.execPath, [tsc, ...CHECK, '', file]);
};

test('the types are found and match the README', async () => {
  writeFileSync(
    join(project, 'use.ts'),
    `import { compileTemplate, Cuevault, type Envelope, getPrompt, getSecrets, type SecretsResult } from 'cuevault';
import { offlineCopy } from 'cuevault/offline';
import { fakeCuevault } from 'cuevault/testing';
export const fake: Cuevault = fakeCuevault({ prompts: { greeting: 'Hi' } }).client();
const cuevault = new Cuevault({ offline: offlineCopy({ directory: '.' }), fetch });
export const strict: string = (await cuevault.prompts.get('greeting', { strict: true })).compiledPrompt;
const { compiledPrompt } = await cuevault.prompts.get('greeting', { variables: { user: 'Ada' } });
export const compiled: string = compiledPrompt;
export const maybeText: string | undefined = (await cuevault.prompts.get({ promptId: 'prm_1' })).compiledPrompt;
export const secret: string = await cuevault.secrets.get('KEY');
export const envelope: Envelope<SecretsResult> = await getSecrets({ shouldSetEnv: true });
interface Greeting { readonly user: string; place?: string }
const variables: Greeting = { user: 'Ada' };
const prompt = await cuevault.prompts.get('greeting', { variables, metaProperties: variables });
export const texts: string[] = [prompt.compiledPrompt, prompt.compile(variables), compileTemplate('', variables)];
await getPrompt({ name: 'greeting', shouldCompile: true, variables, metaProperties: variables });
// @ts-expect-error: variables are an object
compileTemplate('', 'Ada');
// @ts-expect-error: there is no such option
new Cuevault({ adress: '' });
`,
  );
  expect(await check('use.ts')).toEqual({ code: 0, out: '', err: '' });
});

test('generated types reject unknown names, labels, variables, lists of messages, and values that are not declared', async () => {
  const types = ['cuevault', 'types', 'greeting@production', 'reply', '-o', 'cuevault-prompts.d.ts'];
  expect(await run('npx', ['--offline', ...types])).toEqual({ code: 0, out: '', err: '' });
  writeFileSync(
    join(project, 'typed.ts'),
    `/// <reference path="./cuevault-prompts.d.ts" />
import { Cuevault } from 'cuevault';
const { prompts } = new Cuevault();
await prompts.get('greeting', { label: 'production', variables: { user: 'Ada' } });
await prompts.get({ promptId: 'prm_1' }, { variables: { anything: 1 } });
// @ts-expect-error: there is no such prompt
await prompts.get('greting');
// @ts-expect-error: there is no such label
await prompts.get('greeting', { label: 'prod' });
// @ts-expect-error: there is no such variable
await prompts.get('greeting', { variables: { user: 'Ada', place: 'London' } });
// @ts-expect-error: a variable is missing
await prompts.get('greeting', { variables: {} });
const values = { count: 1, items: ['a'], any: new Date() };
await prompts.get('reply', { variables: values, placeholders: { history: [] } });
await prompts.get('reply', { variables: { ...values, tone: 'formal' } });
await prompts.get('reply', { variables: { ...values, tone: null } });
// @ts-expect-error: the enum has no such value
await prompts.get('reply', { variables: { ...values, tone: 'rude' } });
// @ts-expect-error: the type is integer
await prompts.get('reply', { variables: { ...values, count: '1' } });
// @ts-expect-error: a variable without default is missing
await prompts.get('reply', { variables: { items: [], any: 1 } });
// @ts-expect-error: there is no such list of messages
await prompts.get('reply', { placeholders: { histories: [] } });
// @ts-expect-error: the list of messages is missing
await prompts.get('reply', { placeholders: {} });
`,
  );
  expect(await check('typed.ts')).toEqual({ code: 0, out: '', err: '' });
});

test('the library is 12 KB minified and gzipped, as the README says', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(project, 'node_modules/cuevault/dist/index.js')],
    minify: true,
    format: 'esm',
    write: false,
  });
  const [, kilobytes] = README.match(/(\d+) KB minified\s+and gzipped/) ?? [];
  const minified = outputFiles.map(({ contents }) => gzipSync(contents, { level: 9 }).length / 1024);
  expect(minified.map(Math.round)).toEqual([Number(kilobytes)]);
  expect(kilobytes).toBe('12');
});
