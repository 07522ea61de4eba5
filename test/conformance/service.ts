import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newFolder } from '../support/new-folder.ts';

/** A Cuevault started by `npm start`, with its samples. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  /** Its data folder. */
  readonly folder: string;
  /** Its process group. */
  readonly group: number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts one on any free port, in a new data folder, which goes with it, unless one is given; in `cwd`, a clone, with the
 * variables `env`.
 */
export const startService = async (
  given?: string,
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<Service> => {
  const folder = given ?? newFolder();
  const child = spawn('npm', ['start', '--silent'], {
    cwd,
    env: { ...env, PORT: '0', CUEVAULT_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that the signal reaches what npm starts.
    detached: true,
  });
  const { pid: group = 0 } = child;
  const said: string[] = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  // The streams close when the last of the processes is gone.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.startsWith('Cuevault is running') && resolve());
    void ended.then(() => reject(new Error(`npm start ended: ${said.join('')}`)));
  });
  const { url, apiKey } = JSON.parse(readFileSync(join(folder, 'first-run.json'), 'utf8'));
  return {
    url,
    apiKey,
    folder,
    group,
    stop: async () => {
      process.kill(-group, 'SIGTERM');
      await ended;
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};
