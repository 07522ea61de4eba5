import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Cuevault } from '../../clients/typescript/src/index.ts';
import type { Service } from '../conformance/service.ts';
import { type Figure, proportion } from './figures.ts';
import { median } from './statistics.ts';

const PAIRS = 1_000;
const STARTS = 15;
const PATH = '/api/prompt/get-compiled';

const timed = async (call: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
};

/** The client compared with the runtime's `fetch`: alternating calls to the same service. */
export const besideFetch = async ({ url, apiKey }: Service): Promise<Figure> => {
  const client = new Cuevault({ url, apiKey, cache: false });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'greeting' });
  const bare = async () => (await fetch(url + PATH, { method: 'POST', headers, body })).json();
  const ours = () => client.prompts.get('greeting');
  const times: { readonly bare: number[]; readonly ours: number[] } = { bare: [], ours: [] };
  for (let i = 0; i < PAIRS; i++) {
    times.bare.push(await timed(bare));
    times.ours.push(await timed(ours));
  }
  const name = 'TypeScript client: p50 of an uncached prompts.get over that of fetch';
  const how = `p50 of ${PAIRS} calls each in turn`;
  return proportion(name, [median(times.ours), median(times.bare)], 1.15, how);
};

/** The import time of the package in Node, and its size. */
export const packageFigures = async (): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'cuevault-bench-'));
  try {
    execFileSync(process.execPath, ['clients/typescript/build.mjs', folder]);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'nothing.js'), '');
    const start = (file: string): number => {
      const begun = performance.now();
      spawnSync(process.execPath, [join(folder, file)]);
      return performance.now() - begun;
    };
    const pairs = Array.from({ length: STARTS }, () => start('index.js') - start('nothing.js'));
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'index.js')],
      minify: true,
      format: 'esm',
      write: false,
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    return [
      {
        name: 'TypeScript client: import, over the start of Node',
        measured: median(pairs),
        bound: 10,
        unit: 'ms',
        from: `median of ${STARTS} pairs`,
      },
      { name: 'TypeScript client: minified and gzipped', measured: bytes, bound: 9 * 1024, unit: 'bytes' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
