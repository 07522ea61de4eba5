// Runs README, the tutorial and the how-to guides as printed: code blocks with a file name are written to that file, the
// `sh` blocks of a page run one after another in one shell, and a `text` block is what the `sh` block before it prints.
// `sh not-run` marks commands that need another system, such as kubectl, and `sh long` those that install
// packages from registries. A comment `<!-- ui … -->` has the steps that the text before it asks for (`steps.ts`). `<!-- sh … -->`
// does such steps by API: `admin METHOD PATH BODY [FIELD]` prints that field of the reply. There, `systems.py` also does
// what Kubernetes and the like do with the files of a page.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Service, startService } from '../conformance/service.ts';
import { openBrowser, watch } from '../support/browser/browser.ts';
import { newFolder } from '../support/new-folder.ts';
import { newProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';
import { serve } from '../support/server.ts';
import { differences, doSteps } from './steps.ts';

const GUIDES = globSync('docs/how-to/*.md').sort();
const BLOCK = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$|^<!-- (sh|ui|sh long)\n([\s\S]*?)^-->$/gm;
const ADDRESS = /http:\/\/localhost:3000|https:\/\/cuevault\.example\.com/g;
const TIMEOUT = /timeout(?:Ms: |=)[\d_]+/gi;
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
  let isLeftOut = false;
  // Ten times as long, because the machine may be busy.
  const source = readFileSync(page, 'utf8')
    .replaceAll(ADDRESS, service.url)
    .replaceAll(TIMEOUT, (given) => `${given}0`);
  for (const [, language, name, code = '', hidden, steps = ''] of source.matchAll(BLOCK)) {
    if (language === 'text') {
      if (!isLeftOut) scripts.push({ commands: '', ...scripts.pop(), printed: code });
    } else if (language !== undefined && language !== 'sh') {
      if (name !== undefined && name !== 'not-run') files.set(name, code);
    } else if (name?.startsWith('.')) files.set(name, code);
    else if (name !== 'not-run' && code !== 'npm start\n') {
      isLeftOut = (name === 'long' || hidden === 'sh long') && !isLong;
      const inBrowser = `kept=$(curl -sS --fail-with-body "$STEPS" --data-binary @- <<'END'\n${steps}END\n) || { echo "$kept" >&2; exit 1; }\neval "$kept"`;
      if (!isLeftOut) scripts.push({ commands: hidden === 'ui' ? inBrowser : steps || code });
    }
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

beforeAll(async () => {
  packages = newProject(STAND_INS);
  writeFileSync(path.join(packages, 'node_modules/.bin/admin'), ADMIN, { mode: 0o755 });
  service = await startService();
  const asked = spawn('npm', ['run', '--silent', 'token'], {
    env: { ...process.env, CUEVAULT_DATA: service.folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  token = (await text(asked.stdout)).trim();
});

afterAll(() => service.stop());

interface Place {
  readonly folder: string;
  readonly service: Service;
  readonly env: NodeJS.ProcessEnv;
}

const run = async (
  guide: Guide,
  { folder, service, env }: Place,
): Promise<{ readonly out: string[]; readonly err: string }> => {
  for (const [name, code] of guide.files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), code);
  }
  const script = guide.scripts.map(({ commands }) => `${commands}\necho '${END}'`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...env, CUEVAULT_URL: service.url, CUEVAULT_API_KEY: service.apiKey, KEY: service.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out: out.split(`${END}\n`), err };
};

const follow = async (page: string, place: Place): Promise<void> => {
  const guide = read(page, place.service);
  const { out, err } = await run(guide, place);
  expect({ page, blocks: out.length - 1, err: out.length - 1 === guide.scripts.length ? '' : err }).toEqual({
    page,
    blocks: guide.scripts.length,
    err: '',
  });
  for (const [index, { printed }] of guide.scripts.entries())
    if (printed !== undefined) expect(out[index]?.trimEnd()).toBe(printed.trimEnd());
};

/** Opens a browser, for the time of `work`, and the address of a server that does the steps that it is sent. */
const withSteps = async (folder: string, work: (address: string) => Promise<void>): Promise<void> => {
  const browser = await openBrowser();
  const page = await browser.newPage({ locale: 'en-US', reducedMotion: 'reduce' });
  watch(page);
  const { url, stop } = await serve(async (request, response) => {
    try {
      response.end(await doSteps(page, await text(request), folder));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await work(url).finally(async () => {
    await stop();
    await browser.close();
  });
};

test('the tutorial prints each control in bold that its steps press, and no other', () => {
  expect(differences(readFileSync('docs/tutorial.md', 'utf8'))).toEqual([]);
});

/** A folder with what README and the tutorial need of a clone, in which `npm start` runs. */
const prepareClone = async (clone: string): Promise<Place> => {
  for (const part of ['clients/typescript', 'contract', 'scripts/packages/licenses.ts', 'tsconfig.json'])
    cpSync(part, path.join(clone, part), { recursive: true, filter: (file) => !file.endsWith('/dist') });
  symlinkSync(path.resolve('node_modules'), path.join(clone, 'node_modules'));
  symlinkSync(service.folder, path.join(clone, '.cuevault'));
  const PATH = [path.resolve('clients/python/.venv/bin'), process.env.PATH].join(path.delimiter);
  return { folder: clone, service, env: { ...process.env, PATH } };
};

/** A real clone, of somebody who has Node.js and Python and nothing else. */
const makeClone = async (clone: string): Promise<Place> => {
  const HOME = path.dirname(clone);
  execFileSync('git', ['clone', '--quiet', '.', clone]);
  execFileSync('python3', ['-m', 'venv', path.join(HOME, 'venv')]);
  const system = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((each) => !each.includes('node_modules'));
  const own = [path.join(HOME, 'venv/bin'), path.dirname(process.execPath)];
  // Without what npm gives to a script, or the tests to each other.
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(registry|.*proxy|cafile)$)|CUEVAULT_|NODE_COMPILE_CACHE$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(rest),
    HOME,
    PATH: [...own, ...system].join(path.delimiter),
    NODE_NO_WARNINGS: '1',
  };
  return { folder: clone, service: await startService(path.join(clone, '.cuevault'), clone, env), env };
};

// First: somebody who follows them has no environments yet.
test(`README and the tutorial work as printed${isLong ? ' from an empty clone' : ''}`, async () => {
  const place = await (isLong ? makeClone : prepareClone)(path.join(newFolder(), 'cuevault'));
  const folder = path.join(place.folder, '../hello');
  try {
    await follow('README.md', place);
    await withSteps(place.service.folder, (STEPS) =>
      follow('docs/tutorial.md', { ...place, folder, env: { ...place.env, STEPS } }),
    );
  } finally {
    if (place.service !== service) await place.service.stop();
  }
}, 900_000);

test.each(GUIDES)('%s works as printed', async (page) => {
  const folder = newFolder();
  symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(service.folder, path.join(folder, '.cuevault'));
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const bin = [
    path.join(folder, 'node_modules/.bin'),
    path.resolve('clients/python/.venv/bin'),
    path.resolve('test/guides'),
  ];
  const env = {
    ...process.env,
    PATH: [...bin, process.env.PATH].join(path.delimiter),
    TOKEN: token,
    NODE_NO_WARNINGS: '1',
    PYTHONPATH: path.resolve('test/guides'),
  };
  await follow(page, { folder, service, env });
});
