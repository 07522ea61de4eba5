import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, proportion } from '../figures.ts';
import { bundleFloor } from '../floor.ts';
import { inTurns } from '../statistics.ts';

const RUNS = 60;
const BOUND = 1;
const HOW = `of a processor, medians of ${RUNS} fresh processes each`;
const FUNCTIONS = {
  'prompt-get-compiled': 'table-client',
  'vault-get-secrets': 'table-and-kms-clients',
} as const;

// Processor time of the main thread: unlike elapsed time, it does not depend on other processes.
const TIMED_IMPORT = `
  const start = process.threadCpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.threadCpuUsage(start);
  console.log((user + system) / 1_000);
`;

/** The processor time in which a fresh process loads a module, in milliseconds. */
const loadTime = (file: string) => async (): Promise<number> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', TIMED_IMPORT, pathToFileURL(file).href],
    { env: { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' } },
  );
  return Number(stdout);
};

/** Loading a function, against a bundle that only makes the clients and is bundled the same way. */
export const load = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const [id, floor] of Object.entries(FUNCTIONS)) {
    const times = await inTurns(RUNS, {
      own: loadTime(fileURLToPath(new URL(`../../../dist/lambdas/${id}/index.mjs`, import.meta.url))),
      bare: loadTime(await bundleFloor(floor)),
    });
    figures.push(proportion(`loading ${id} / its SDK clients`, [times.own, times.bare], BOUND, HOW));
  }
  return figures;
};
