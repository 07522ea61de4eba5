import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Cuevault, type Fetch } from '../../../clients/typescript/src/index.ts';
import { type Service, startService } from '../../conformance/service.ts';
import { newFolder } from '../../support/new-folder.ts';
import { type Figure, proportion } from '../figures.ts';
import { elapsed, inTurns, median } from '../statistics.ts';

/** Calls per second that the cache must answer, compiling included. */
const WANTED = { typescript: 500_000, python: 400_000 };
const ROUND = 500_000;
const ROUNDS = 5;

const PROMPT = {
  promptId: 'prm_1',
  name: 'greeting',
  version: '1.1.0',
  tags: ['sample'],
  metaProperties: {},
  prompt: 'Hello {{user}}, welcome to {{ place }}.',
};

const answering: Fetch = async () => Response.json({ err: null, res: PROMPT });

const round = async (client: Cuevault): Promise<number> => {
  const begun = performance.now();
  for (let i = 0; i < ROUND; i++) {
    const { compiledPrompt } = await client.prompts.get('greeting', {
      variables: { user: i, place: 'London' },
    });
    if (compiledPrompt !== `Hello ${i}, welcome to London.`) throw new Error('A wrong text was compiled.');
  }
  return (ROUND / (performance.now() - begun)) * 1000;
};

const bestRate = async (): Promise<number> => {
  const client = new Cuevault({ apiKey: 'cue_bench', fetch: answering });
  const rates: number[] = [];
  for (let i = 0; i < ROUNDS; i++) rates.push(await round(client));
  return Math.max(...rates);
};

const cached = (language: string, rate: number, wanted: number): Figure => ({
  name: `${language} client: a cached prompts.get with compiling`,
  measured: 1e6 / rate,
  bound: 1e6 / wanted,
  unit: 'µs',
  from: `${Math.round(rate)} calls/s, the best of some rounds`,
});

const python = async (): Promise<Figure> => {
  const command = ['scripts/python.mjs', 'python', 'benchmarks/prompts.py'];
  // The figure shows if it is too slow.
  const asked = promisify(execFile)(process.execPath, command);
  const { stdout } = await asked.catch((error: unknown) => error as { stdout: string });
  const [, rate = ''] = /: ([\d,]+) calls\/s/.exec(stdout) ?? [];
  return cached('Python', Number(rate.replaceAll(',', '')), WANTED.python);
};

const PAIRS = 1_000;
const STARTS = 15;
const PATH = '/api/prompt/get-compiled';

/** The client compared with the runtime's `fetch`: alternating calls to the same service. */
const besideFetch = async ({ url, apiKey }: Service): Promise<Figure> => {
  const client = new Cuevault({ url, apiKey, cache: false });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'greeting' });
  const { ours, bare } = await inTurns(PAIRS, {
    bare: elapsed(async () => (await fetch(url + PATH, { method: 'POST', headers, body })).json()),
    ours: elapsed(() => client.prompts.get('greeting')),
  });
  const name = 'TypeScript client: p50 of an uncached prompts.get over that of fetch';
  return proportion(name, [ours, bare], 1.15, `p50 of ${PAIRS} calls each in turn`);
};

/** The import time of the package in Node. Its size has a test of its own. */
const importTime = async (): Promise<Figure> => {
  const folder = newFolder();
  execFileSync(process.execPath, ['clients/typescript/build.mjs', folder]);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'nothing.js'), '');
  const start = (file: string) => elapsed(async () => spawnSync(process.execPath, [join(folder, file)]));
  const pairs: number[] = [];
  for (let i = 0; i < STARTS; i++) pairs.push((await start('index.js')()) - (await start('nothing.js')()));
  rmSync(folder, { recursive: true });
  const name = 'TypeScript client: import, over the start of Node';
  return { name, measured: median(pairs), bound: 10, unit: 'ms', from: `median of ${STARTS} pairs` };
};

/** The throughput of the clients' caches, the import of the client, and its calls compared with those of `fetch`. */
export const clients = async (): Promise<Figure[]> => {
  const rate = await bestRate();
  const service = await startService();
  try {
    return [
      cached('TypeScript', rate, WANTED.typescript),
      await besideFetch(service),
      await importTime(),
      await python(),
    ];
  } finally {
    await service.stop();
  }
};
