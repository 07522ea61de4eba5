import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { type Service, startService } from '../../conformance/service.ts';
import { type Figure, reported } from '../figures.ts';
import { median } from '../statistics.ts';

const WARM_UP = 300;
const CALLS = 2_000;
const CONNECTIONS = 32;
const ALL_CALLS = 150_000;

const BODY = JSON.stringify({
  name: 'greeting',
  shouldCompile: true,
  variables: { user: 'Ada', place: 'London' },
});

/** Fetches a prompt over a kept connection; resolves with the milliseconds that it took. */
const fetchWith = (agent: Agent, { url, apiKey }: Service): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const sent = request(`${url}/api/prompt/get-compiled`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - begun)
          : reject(new Error(`The instance answered ${response.statusCode}.`)),
      );
    });
    sent.on('error', reject);
    sent.end(BODY);
  });

/** Makes calls over some connections; resolves with the milliseconds of each. */
const fetches = async (service: Service, connections: number, calls: number): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const work = async () => {
    for (let i = 0; i < calls / connections; i++) times.push(await fetchWith(agent, service));
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return times;
};

/** Resident memory of the runner and its engine, which has the data folder among its arguments, in MB. */
const memoryOf = ({ group, folder }: Service): number =>
  execFileSync('ps', ['-A', '-o', 'pgid=,rss=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
    .filter(([, pgid, , args = '']) => Number(pgid) === group || args.includes(folder))
    .reduce((sum, [, , kilobytes]) => sum + Number(kilobytes) / 1_024, 0);

/** Fetches of a prompt from `npm start`, all of its checks included; the caller shares the machine with it. */
export const local = async (): Promise<Figure[]> => {
  const service = await startService();
  try {
    await fetches(service, 1, WARM_UP);
    const one = median(await fetches(service, 1, CALLS));
    const before = memoryOf(service);
    const begun = performance.now();
    await fetches(service, CONNECTIONS, ALL_CALLS);
    const rate = (1_000 * ALL_CALLS) / (performance.now() - begun);
    return [
      { name: 'local fetch over one connection, median', measured: one, bound: 5, unit: 'ms' },
      reported(`local fetches over ${CONNECTIONS} connections`, rate, 'calls/s'),
      {
        name: `memory after ${ALL_CALLS} fetches`,
        measured: memoryOf(service),
        bound: 450,
        unit: 'MB',
        from: `${Math.round(before)} MB before them`,
      },
    ];
  } finally {
    await service.stop();
  }
};
