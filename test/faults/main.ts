// npm run faults [-- <number>…]: plants each fault (or those with these numbers), runs the tests that must find it, and
// removes it again. Ends with an error if a fault is not found. The sources must be committed: they are changed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { FAULTS, type Fault } from './faults.ts';

// A fault may keep a test waiting: it is then found.
const HANGS_MS = 300_000;
const PYTHON = 'clients/python/';

const run = (script: string, args: readonly string[] = [], fault?: number): boolean =>
  spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    stdio: 'ignore',
    timeout: HANGS_MS,
    env: { ...process.env, ...(fault !== undefined && { CUEVAULT_FAULT: String(fault) }) },
  }).status === 0;

const passes = ({ tests }: Fault, fault?: number): boolean =>
  tests.startsWith(PYTHON)
    ? run('python', ['pytest', '--quiet', '--exitfirst', tests.slice(PYTHON.length)], fault)
    : run('jest', ['--maxWorkers=2', '--bail', ...tests.split(' ')], fault);

interface Numbered extends Fault {
  readonly number: number;
}

/** Whether all faults of a file are in one build, each behind its number in CUEVAULT_FAULT: building it takes long. */
const isNumbered = ({ file }: Fault): boolean => file.startsWith('admin-ui/');

/** Whether the tests run what is assembled from the sources, and not the sources themselves. */
const isAssembled = ({ file, tests }: Fault): boolean =>
  !tests.startsWith('test/unit/') && !/^(?:clients|scripts)\//.test(file);

const plantedBy = (each: Numbered): string =>
  isNumbered(each)
    ? `((globalThis.process?.env.CUEVAULT_FAULT ?? globalThis.CUEVAULT_FAULT) == ${each.number} ? (${each.fault}) : (${each.text}))`
    : each.fault;

/** Plants faults, does some work, and removes them again. Errors: a text that is not there exactly once. */
const withPlanted = <Result>(faults: readonly Numbered[], work: () => Result): Result => {
  const sources = new Map(faults.map(({ file }) => [file, readFileSync(file, 'utf8')]));
  try {
    for (const each of faults) {
      const source = readFileSync(each.file, 'utf8');
      if (source.split(each.text).length !== 2)
        throw new Error(`${each.number} cannot be planted: ${each.text}`);
      const planted = plantedBy(each);
      writeFileSync(
        each.file,
        source.replace(each.text, () => planted),
      );
    }
    return work();
  } finally {
    for (const [file, source] of sources) writeFileSync(file, source);
  }
};

const outcomes: boolean[] = [];
const report = ({ number, file, text, tests }: Numbered, isFound: boolean): void => {
  const outcome = failing.has(tests) ? 'FAILS WITHOUT A FAULT' : isFound ? 'found' : 'NOT FOUND';
  outcomes.push(outcome === 'found');
  console.log(`${number} ${outcome}: ${file}: ${text.trim()} (${tests})`);
};

const changed = spawnSync('git', [
  'status',
  '--porcelain',
  'admin-ui',
  'clients',
  'contract',
  'lambdas',
  'lib',
  'local',
  'scripts',
]);
if (changed.stdout.length > 0) throw new Error('Commit your changes first: this command edits the sources.');

const chosen = process.argv.slice(2).map(Number);
const numbered = FAULTS.map((each, index) => ({ ...each, number: index + 1 })).filter(
  ({ number }) => chosen.length === 0 || chosen.includes(number),
);
const assemble = (): void => {
  if (!run('assemble')) throw new Error('The sources are not built.');
};

assemble();
// What fails without a fault would find every one.
const failing = new Set<string>();
for (const [tests, [first]] of Map.groupBy(numbered, (each) => each.tests))
  if (first && !passes(first)) failing.add(tests);
const inOneBuild = numbered.filter(isNumbered);
withPlanted(inOneBuild, () => {
  if (inOneBuild.some(isAssembled)) assemble();
  for (const each of inOneBuild) report(each, !passes(each, each.number));
});
for (const each of numbered.filter((one) => !isNumbered(one)))
  withPlanted([each], () => report(each, (isAssembled(each) && !run('assemble')) || !passes(each)));
console.log(`${outcomes.filter((isFound) => isFound).length} of ${outcomes.length} faults found.`);
if (outcomes.includes(false)) process.exitCode = 1;
