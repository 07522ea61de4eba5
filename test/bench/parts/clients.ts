import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Cuevault, type Fetch } from '../../../clients/typescript/src/index.ts';
import { type Service, startService } from '../../conformance/service.ts';
import { besideFetch, outageFigure, packageFigures } from '../client-figures.ts';
import type { Figure } from '../figures.ts';

/** Calls per second that the cache must answer, compiling included. */
const WANTED = { typescript: 500_000, python: 400_000 };
const ROUND = 500_000;
const ROUNDS = 5;
const CALLS = 1_000;

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

// Reported without a bound: they depend on the service more than on the client.
const reported = (name: string, ms: number): Figure => ({
  name: `${name}, ${CALLS} one after another`,
  measured: ms,
  bound: Number.POSITIVE_INFINITY,
  unit: 'ms',
});

const timesOf = async (name: string, call: () => Promise<unknown>): Promise<Figure[]> => {
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  return [reported(`${name}: p50`, at(0.5)), reported(`${name}: p99`, at(0.99))];
};

const python = async ({ url, apiKey }: Service): Promise<Figure[]> => {
  const command = ['scripts/python.mjs', 'python', 'benchmarks/prompts.py', '--service'];
  const env = { ...process.env, CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
  const asked = promisify(execFile)(process.execPath, command, { env });
  // The figure shows if it is too slow.
  const { stdout } = await asked.catch((error: unknown) => error as { stdout: string });
  const read = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]?.replaceAll(',', ''));
  return [
    cached('Python', read(/: ([\d,]+) calls\/s/), WANTED.python),
    reported('Python client: p50 of prompts.get', read(/p50 ([\d.]+) ms/)),
    reported('Python client: p99 of prompts.get', read(/p99 ([\d.]+) ms/)),
  ];
};

/** The throughput of the clients' caches, and the time of calls to a service started by `npm start`. */
export const clients = async (): Promise<Figure[]> => {
  const rate = await bestRate();
  const service = await startService();
  try {
    const { url, apiKey } = service;
    const client = new Cuevault({ url, apiKey, cache: false });
    const prompt = () => client.prompts.get('greeting', { variables: { user: 'Ada', place: 'London' } });
    return [
      cached('TypeScript', rate, WANTED.typescript),
      await besideFetch(service),
      await outageFigure(),
      ...(await packageFigures()),
      ...(await timesOf('TypeScript client: prompts.get', prompt)),
      ...(await timesOf('TypeScript client: secrets.all', () => client.secrets.all())),
      ...(await python(service)),
    ];
  } finally {
    await service.stop();
  }
};
