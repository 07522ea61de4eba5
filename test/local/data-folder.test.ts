import { join } from 'node:path';
import { openDataFolder } from '../../local/data-folder.ts';
import { newFolder } from '../support/new-folder.ts';
import { killHard, runUntilLine } from '../support/processes/process.ts';

let path: string;
beforeEach(() => {
  path = join(newFolder(), 'data');
});

const dataFolderModule = new URL('../../local/data-folder.ts', import.meta.url).href;

const openElsewhere = () =>
  runUntilLine(
    `const { openDataFolder } = await import('${dataFolderModule}');
     try {
       openDataFolder(${JSON.stringify(path)});
       console.log('open');
       setInterval(() => {}, 1000);
     } catch (error) {
       console.log(error.name + ': ' + error.message);
     }`,
  );

test('after kill -9 exactly one of several concurrent starts opens the folder', async () => {
  await killHard((await openElsewhere()).child);
  const takers = await Promise.all([openElsewhere(), openElsewhere(), openElsewhere()]);
  await Promise.all(takers.map(({ child }) => (child.exitCode === null ? killHard(child) : undefined)));
  expect(takers.filter(({ line }) => line === 'open').length).toBe(1);
  openDataFolder(path)();
});

test('a path that is not a folder is rejected with one line', () => {
  expect(() => openDataFolder('/dev/null/data')).toThrow(
    /^The data folder \/dev\/null\/data cannot be used: .*\. Set CUEVAULT_DATA to /,
  );
});
