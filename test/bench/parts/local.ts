import { Agent, request } from 'node:http';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import type { Figure } from '../figures.ts';
import { median } from '../statistics.ts';

const WARM_UP = 300;
const CALLS = 2_000;
const CONNECTIONS = 32;

/** Fetches a prompt over a kept connection; resolves with the milliseconds that it took. */
const fetchWith = (agent: Agent, instance: TestInstance, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = {
      authorization: `Bearer ${instance.firstRun.apiKey}`,
      'content-type': 'application/json',
    };
    const url = `${instance.url}/api/prompt/get-compiled`;
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - begun)
          : reject(new Error(`The instance answered ${response.statusCode}.`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Makes `calls` fetches over `connections` connections. Returns their times, and how many completed per second. */
const run = async (instance: TestInstance, body: string, calls: number, connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let left = calls;
  const begun = performance.now();
  const caller = async (): Promise<void> => {
    while (left-- > 0) times.push(await fetchWith(agent, instance, body));
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const perSecond = (calls / (performance.now() - begun)) * 1_000;
  agent.destroy();
  return { times: times.toSorted((a, b) => a - b), perSecond };
};

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Fetches of a prompt from `npm start`, all of its checks included; the caller shares the machine with it. */
export const local = async (): Promise<Figure[]> => {
  const instance = await openInstance({ consumes: 'after-writes' });
  const { name } = await newPrompt(instance.table, { prompt: 'Hello {{user}}' });
  const body = JSON.stringify({ name, shouldCompile: true, variables: { user: 'Ada' } });
  await run(instance, body, WARM_UP, 1);
  const before = process.cpuUsage();
  const one = await run(instance, body, CALLS, 1);
  const { user, system } = process.cpuUsage(before);
  const many = await run(instance, body, CALLS, CONNECTIONS);
  await instance.settled();
  await instance.stop();
  const reported = { bound: Number.POSITIVE_INFINITY };
  return [
    { name: 'local fetch, one connection, median', measured: median(one.times), bound: 5, unit: 'ms' },
    {
      name: 'local fetch, one connection, p99',
      measured: percentile(one.times, 0.99),
      ...reported,
      unit: 'ms',
    },
    {
      ...{ name: 'local fetch, one connection: processor time of runner, functions and caller', ...reported },
      ...{ measured: (user + system) / 1_000 / CALLS, unit: 'ms' },
    },
    {
      ...{ name: `local fetches a second, ${CONNECTIONS} connections`, measured: many.perSecond },
      ...{ ...reported, unit: '/s', from: `median ${median(many.times).toFixed(1)} ms` },
    },
  ];
};
