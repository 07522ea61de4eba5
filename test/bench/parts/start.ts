import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { startService } from '../../conformance/service.ts';
import { newFolder } from '../../support/new-folder.ts';
import { type Figure, reported } from '../figures.ts';
import { median } from '../statistics.ts';

const STARTS = 5;

/** Runs `npm start` until `/health` answers, then stops it. Returns how long that took, in milliseconds. */
const startOnce = async (dataFolder: string): Promise<number> => {
  const begun = performance.now();
  const { url, stop } = await startService(dataFolder);
  const { status } = await fetch(`${url}/health`);
  const took = performance.now() - begun;
  await stop();
  if (status !== 200) throw new Error(`The instance answered ${status}.`);
  return took;
};

/** Clones the repository and runs `npm start` there until it has answered a fetch; that time, in milliseconds. */
const startClone = async (): Promise<number> => {
  const clone = newFolder();
  const begun = performance.now();
  execFileSync('git', ['clone', '--quiet', '.', clone]);
  const { url, apiKey, stop } = await startService(undefined, clone);
  const { status } = await fetch(`${url}/api/prompt/get-compiled`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: '{"name": "greeting"}',
  });
  const took = performance.now() - begun;
  await stop();
  rmSync(clone, { recursive: true });
  if (status !== 200) throw new Error(`The instance answered ${status}.`);
  return took;
};

/** Starting in a new clone, and on an existing data folder. */
export const start = async (): Promise<Figure[]> => {
  const cloned = await startClone();
  const dataFolder = newFolder();
  await startOnce(dataFolder);
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) times.push(await startOnce(dataFolder));
  rmSync(dataFolder, { recursive: true });
  return [
    reported(
      'git clone and npm start until the first fetch',
      cloned / 1_000,
      's',
      "packages as far as npm's cache has them",
    ),
    {
      name: 'npm start until /health, second start',
      measured: median(times) / 1_000,
      bound: 3,
      unit: 's',
      from: `median of ${STARTS}`,
    },
  ];
};
