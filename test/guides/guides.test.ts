// Runs the tutorial and the how-to guides as printed: code blocks with a file name are written to that file, the `sh`
// blocks of a page run one after another in one shell, and a `text` block is what the `sh` block before it prints.
// `sh not-run` marks commands that need another system, such as kubectl. A comment `<!-- sh … -->` does by API what the
// text before it tells people to do in the admin UI: `admin METHOD PATH BODY [FIELD]` prints that field of the reply.
// There, `systems.py` also does what Kubernetes and the like do with the files of a page.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Service, startService } from '../conformance/service.ts';
import { newFolder } from '../support/new-folder.ts';

const GUIDES = [...globSync('docs/tutorial.md'), ...globSync('docs/how-to/*.md')].sort();
const BLOCK = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$|^<!-- sh\n([\s\S]*?)^-->$/gm;
const ADDRESS = /http:\/\/localhost:3000|https:\/\/cuevault\.example\.com/g;
const END = '=== end of a block ===';

interface Script {
  readonly commands: string;
  readonly printed?: string;
}

interface Guide {
  readonly files: ReadonlyMap<string, string>;
  readonly scripts: readonly Script[];
}

const read = (page: string, service: Service): Guide => {
  const files = new Map<string, string>();
  const scripts: Script[] = [];
  const source = readFileSync(page, 'utf8').replaceAll(ADDRESS, service.url);
  for (const [, language = 'sh', name, code = '', hidden] of source.matchAll(BLOCK)) {
    if (language === 'sh' && name === undefined) scripts.push({ commands: hidden ?? code });
    else if (language === 'text') scripts.push({ commands: '', ...scripts.pop(), printed: code });
    else if (name !== undefined && name !== 'not-run') files.set(name, code);
  }
  return { files, scripts };
};

const ADMIN = `#!/usr/bin/env node
const [method, path, body, field] = process.argv.slice(2);
const headers = { authorization: 'Bearer ' + process.env.TOKEN, 'content-type': 'application/json' };
const reply = await fetch(process.env.CUEVAULT_URL + '/api/admin/' + path, { method, headers, body });
const { err, res } = await reply.json();
if (err !== null) throw new Error(err);
if (field !== undefined) console.log(field.split('.').reduce((at, name) => at[name], res));
`;

// The SDKs are large: these replace them, and return what they were given.
const STAND_INS: Readonly<Record<string, string>> = {
  ai: `export const generateText = async ({ model, ...options }) =>
    ({ text: JSON.stringify({ ...model, ...options }) });`,
  '@ai-sdk/openai': 'export const createOpenAI = ({ apiKey }) => (model) => ({ model, apiKey });',
  '@langchain/core': `class Message { constructor(content) { this.content = content; } }
    export { Message as HumanMessage, Message as SystemMessage };`,
};

let service: Service;
let packages: string;
/** Of an administrator, for what the comments do in place of a person. */
let token: string;

const standIn = (folder: string, source: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.js'), source);
  writeFileSync(
    path.join(folder, 'package.json'),
    '{"type": "module", "exports": {"./*": "./index.js", ".": "./index.js"}}',
  );
};

beforeAll(async () => {
  packages = newFolder();
  const installed = path.join(packages, 'node_modules/cuevault');
  mkdirSync(path.join(packages, 'node_modules/.bin'), { recursive: true });
  execFileSync(process.execPath, ['clients/typescript/build.mjs', path.join(installed, 'dist')]);
  cpSync('clients/typescript/package.json', path.join(installed, 'package.json'));
  symlinkSync('../cuevault/dist/cli.js', path.join(packages, 'node_modules/.bin/cuevault'));
  writeFileSync(path.join(packages, 'node_modules/.bin/admin'), ADMIN, { mode: 0o755 });
  for (const [name, source] of Object.entries(STAND_INS))
    standIn(path.join(packages, 'node_modules', name), source);
  service = await startService();
  const asked = spawn('npm', ['run', '--silent', 'token'], {
    env: { ...process.env, CUEVAULT_DATA: service.folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  token = (await text(asked.stdout)).trim();
});

afterAll(() => service.stop());

const run = async (
  guide: Guide,
  folder: string,
): Promise<{ readonly out: string[]; readonly err: string }> => {
  for (const [name, code] of guide.files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), code);
  }
  const bin = [
    path.join(folder, 'node_modules/.bin'),
    path.resolve('clients/python/.venv/bin'),
    path.resolve('test/guides'),
  ];
  const script = guide.scripts.map(({ commands }) => `${commands}\necho '${END}'`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [...bin, process.env.PATH].join(path.delimiter),
      CUEVAULT_URL: service.url,
      CUEVAULT_API_KEY: service.apiKey,
      KEY: service.apiKey,
      TOKEN: token,
      NODE_NO_WARNINGS: '1',
      PYTHONPATH: path.resolve('test/guides'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out: out.split(`${END}\n`), err };
};

test.each(GUIDES)('%s works as printed', async (page) => {
  const folder = newFolder();
  symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(service.folder, path.join(folder, '.cuevault'));
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const guide = read(page, service);
  const { out, err } = await run(guide, folder);
  expect({ page, blocks: out.length - 1, err: out.length - 1 === guide.scripts.length ? '' : err }).toEqual({
    page,
    blocks: guide.scripts.length,
    err: '',
  });
  for (const [index, { printed }] of guide.scripts.entries())
    if (printed !== undefined) expect(out[index]?.trimEnd()).toBe(printed.trimEnd());
});
