import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Cuevault, type Fetch } from '../../../clients/typescript/src/index.ts';
import { startService } from '../../conformance/service.ts';
import { besideFetch, packageFigures } from '../client-figures.ts';
import type { Figure } from '../figures.ts';

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

/** The throughput of the clients' caches, the size of the client, and its calls compared with those of `fetch`. */
export const clients = async (): Promise<Figure[]> => {
  const rate = await bestRate();
  const service = await startService();
  try {
    return [
      cached('TypeScript', rate, WANTED.typescript),
      await besideFetch(service),
      ...(await packageFigures()),
      await python(),
    ];
  } finally {
    await service.stop();
  }
};
