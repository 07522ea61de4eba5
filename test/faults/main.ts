// npm run faults [-- <number>…]: plants each fault (or those with these numbers), runs the tests that must find it, and
// removes it again. Ends with an error if a fault is not found. The sources must be committed: they are changed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { FAULTS, type Fault } from './faults.ts';

// A fault may keep a test waiting: it is then found.
const HANGS_MS = 300_000;

const run = (script: string, ...args: string[]): boolean =>
  spawnSync('npm', ['run', '--silent', script, '--', ...args], { stdio: 'ignore', timeout: HANGS_MS })
    .status === 0;

// Unit tests import the sources; the others run what is assembled from them.
const assembled = ({ tests }: Fault): boolean => !tests.startsWith('test/unit') || run('assemble');

/** Whether the tests fail with the fault; undefined if the text to replace is not there exactly once. */
const isFound = (planted: Fault): boolean | undefined => {
  const source = readFileSync(planted.file, 'utf8');
  if (source.split(planted.text).length !== 2) return undefined;
  try {
    writeFileSync(
      planted.file,
      source.replace(planted.text, () => planted.fault),
    );
    return !assembled(planted) || !run('jest', '--maxWorkers=2', '--bail', planted.tests);
  } finally {
    writeFileSync(planted.file, source);
  }
};

const changed = spawnSync('git', ['status', '--porcelain', 'contract', 'lambdas', 'lib', 'local']);
if (changed.stdout.length > 0) throw new Error('Commit your changes first: this command edits the sources.');

const chosen = process.argv.slice(2).map(Number);
const outcomes = FAULTS.flatMap((planted, index) => {
  const number = index + 1;
  if (chosen.length > 0 && !chosen.includes(number)) return [];
  const found = isFound(planted);
  const outcome = found === undefined ? 'NOT PLANTED' : found ? 'found' : 'NOT FOUND';
  console.log(`${number} ${outcome}: ${planted.file}: ${planted.text.trim()} (${planted.tests})`);
  return [outcome];
});
console.log(
  `${outcomes.filter((outcome) => outcome === 'found').length} of ${outcomes.length} faults found.`,
);
if (outcomes.some((outcome) => outcome !== 'found')) process.exitCode = 1;
