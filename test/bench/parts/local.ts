import { Agent, request } from 'node:http';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import type { Figure } from '../figures.ts';
import { median } from '../statistics.ts';

const WARM_UP = 300;
const CALLS = 2_000;

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

/** Fetches of a prompt from `npm start`, all of its checks included; the caller shares the machine with it. */
export const local = async (): Promise<Figure[]> => {
  const instance = await openInstance({ consumes: 'after-writes' });
  const { name } = await newPrompt(instance.table, { prompt: 'Hello {{user}}' });
  const body = JSON.stringify({ name, shouldCompile: true, variables: { user: 'Ada' } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + CALLS; i++) times.push(await fetchWith(agent, instance, body));
  agent.destroy();
  await instance.stop();
  const measured = median(times.slice(WARM_UP));
  return [{ name: 'local fetch over one connection, median', measured, bound: 5, unit: 'ms' }];
};
