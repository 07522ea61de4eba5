import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import type { Figure } from '../figures.ts';
import { median } from '../statistics.ts';

const STARTS = 5;
const DEADLINE_MS = 60_000;

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

const stop = async (npm: ChildProcess): Promise<void> => {
  const exited = once(npm, 'exit');
  if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM');
  await exited;
};

/** Runs `npm start` until `/health` answers, then stops it. Returns how long that took, in milliseconds. */
const startOnce = async (dataFolder: string): Promise<number> => {
  const port = await freePort();
  const begun = performance.now();
  // Its own process group: processes started by npm end with it.
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, PORT: String(port), CUEVAULT_DATA: dataFolder },
    stdio: 'ignore',
    detached: true,
  });
  try {
    while (!(await isHealthy(port))) {
      if (npm.exitCode !== null || performance.now() - begun > DEADLINE_MS) {
        throw new Error('npm start did not come up.');
      }
      await sleep(10);
    }
    return performance.now() - begun;
  } finally {
    if (npm.exitCode === null) await stop(npm);
  }
};

/** Starting on an existing data folder. */
export const start = async (): Promise<Figure[]> => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-start-'));
  await startOnce(dataFolder);
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) times.push(await startOnce(dataFolder));
  rmSync(dataFolder, { recursive: true });
  return [
    {
      name: 'npm start until /health, second start',
      measured: median(times) / 1_000,
      bound: 3,
      unit: 's',
      from: `median of ${STARTS}`,
    },
  ];
};
