// npm run faults [-- <number>…]: plants each fault (or those with these numbers), runs the tests that must find it, and
// removes it again. Ends with an error if a fault is not found. The sources must be committed: they are changed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { FAULTS, type Fault, isCompiledIn } from './faults.ts';

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
    : run('jest', ['--maxWorkers=2', '--bail', tests], fault);

interface Numbered extends Fault {
  readonly number: number;
}

/** What stands in place of the text: either of two expressions, as CUEVAULT_FAULT says when it is evaluated. */
const choice = ({ file, text, fault, number }: Numbered): string =>
  file.endsWith('.py')
    ? `((${fault}) if __import__("os").environ.get("CUEVAULT_FAULT") == "${number}" else (${text}))`
    : `((globalThis.process?.env?.CUEVAULT_FAULT ?? globalThis.CUEVAULT_FAULT) == ${number} ? (${fault}) : (${text}))`;

/** Plants faults, does some work, and removes them again. Errors: a text that is not there exactly once. */
const withPlanted = <Result>(faults: readonly Numbered[], work: () => Result): Result => {
  const sources = new Map(faults.map(({ file }) => [file, readFileSync(file, 'utf8')]));
  try {
    for (const each of faults) {
      const source = readFileSync(each.file, 'utf8');
      if (source.split(each.text).length !== 2)
        throw new Error(`${each.number} cannot be planted: ${each.text}`);
      const planted = isCompiledIn(each) ? choice(each) : each.fault;
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
  outcomes.push(isFound);
  console.log(`${number} ${isFound ? 'found' : 'NOT FOUND'}: ${file}: ${text.trim()} (${tests})`);
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
const compiledIn = numbered.filter(isCompiledIn);
withPlanted(compiledIn, () => {
  if (compiledIn.length > 0 && !run('assemble'))
    throw new Error('The sources with all faults are not built.');
  for (const [tests, faults] of Map.groupBy(compiledIn, ({ tests }) => tests)) {
    // They would find every fault if they failed without one.
    if (faults[0] && !passes(faults[0])) throw new Error(`${tests} fails without a fault.`);
    for (const each of faults) report(each, !passes(each, each.number));
  }
});
// Unit tests import the sources; the others run what is assembled from them.
for (const each of numbered.filter((one) => !isCompiledIn(one)))
  withPlanted([each], () => {
    const isBuilt = each.tests.startsWith('test/unit') || run('assemble');
    report(each, !isBuilt || !passes(each));
  });
console.log(`${outcomes.filter((isFound) => isFound).length} of ${outcomes.length} faults found.`);
if (outcomes.includes(false)) process.exitCode = 1;
