import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inParallel } from '../../../lambdas/core/parallel.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { startInstance } from '../../../local/instance.ts';
import { pagesOf } from '../../../scripts/backup/file.ts';
import { makeBackup } from '../../../scripts/backup/make.ts';
import { commandsOf, restoreBackup } from '../../support/backup.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { type Figure, reported } from '../figures.ts';

const PROMPTS = 5_000;
const SECRETS = 1_000;
const TEMPLATE = 'You are a helpful assistant. Answer {{question}}. '.repeat(20);

const timed = async <Result>(work: () => Promise<Result>): Promise<number> => {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1_000;
};

/** The records of a backup, without the API key that each first start makes. */
const recordsIn = async (file: string): Promise<string[]> => {
  const records = (await Array.fromAsync(pagesOf(file))).flatMap((page) => [...page.records]);
  return records
    .filter(({ type }) => type !== 'api-key')
    .map((record) => JSON.stringify(record))
    .sort();
};

/** The time to back up and to restore, and the number of records that differ afterwards. */
export const backup = async (): Promise<readonly Figure[]> => {
  const root = mkdtempSync(path.join(tmpdir(), 'cuevault-bench-'));
  const folder = (name: string) => path.join(root, name);
  const open = (name: string) =>
    startInstance({ dataFolder: folder(name), port: 0, sample: false, onLog: () => undefined });
  const source = await open('source');
  const names = Array.from({ length: PROMPTS }, (_, i) => `prompt ${i}`);
  await inParallel(names, (name) => createPrompt(source.table, changeAt(), { ...content(TEMPLATE), name }));
  await importSecrets(source.table, changeAt(), secretsOf(SECRETS));
  const first = folder('first.jsonl');
  const second = folder('second.jsonl');
  const backedUp = await timed(() => makeBackup(commandsOf(source), { file: first }));
  await source.stop();
  rmSync(folder('source/table.sqlite'));
  rmSync(folder('source/first-run.json'));
  const target = await open('source');
  const restored = await timed(() => restoreBackup(commandsOf(target), { file: first }));
  await makeBackup(commandsOf(target), { file: second });
  await target.stop();
  const expected = new Set(await recordsIn(first));
  const found = await recordsIn(second);
  const different = found.filter((record) => !expected.has(record)).length + expected.size - found.length;
  const megabytes = statSync(first).size / 1e6;
  rmSync(root, { recursive: true });
  const from = `${PROMPTS} prompts and ${SECRETS} secrets: ${megabytes.toFixed(1)} MB`;
  return [
    reported('backup', backedUp, 's', from),
    reported('restore', restored, 's', from),
    { name: 'records that differ after a restore', measured: different, bound: 0, unit: '', from },
  ];
};
