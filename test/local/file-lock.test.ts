import { join } from 'node:path';
import { lockFile } from '../../local/file-lock.ts';
import { newFolder } from '../support/new-folder.ts';
import { killHard, runUntilLine } from '../support/processes/process.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'lock');
});

const lockModule = new URL('../../local/file-lock.ts', import.meta.url).href;

const lockElsewhere = (holdMs: number) =>
  runUntilLine(
    `const { lockFile } = await import('${lockModule}');
     const release = lockFile(${JSON.stringify(file)}, 0);
     console.log('locked');
     setTimeout(release, ${holdMs});`,
  );

test('a lock held by another process is awaited and then acquired', async () => {
  const { child } = await lockElsewhere(500);
  const release = lockFile(file, 200_000);
  expect(release).toBeDefined();
  release?.();
  await killHard(child);
});

test('a lock that another process keeps is not acquired', async () => {
  const { child } = await lockElsewhere(60_000);
  expect(lockFile(file, 0)).toBeUndefined();
  await killHard(child);
  lockFile(file, 0)?.();
});
