// npm test: runs the static checks and the Python client's tests beside Jest, and prints the processor seconds of each
// class of tests. Arguments are passed to Jest and skip Python: npm test -- test/unit. With --long as the first argument
// (npm run test:long), tests run all cases instead of a sample.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { provideBrowser } from './browser.ts';
import { endProcesses, MARK, secondsOfEnded } from './processes.ts';

const began = Date.now();
const isLong = process.argv[2] === '--long';
const jestArguments = process.argv.slice(isLong ? 3 : 2);
const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-npm-test-'));
const seconds = new Map<string, number>();
const failed: string[] = [];
let counted = 0;

const spend = (name: string, spent: number) => seconds.set(name, (seconds.get(name) ?? 0) + spent);

/** Runs an npm script as a part of the tests, and notes a failure. If it is quiet, only a failure is printed. */
const run = async (part: string, script: string, isQuiet: boolean, ...args: string[]): Promise<void> => {
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    stdio: ['ignore', ...(isQuiet ? (['pipe', 'pipe'] as const) : (['inherit', 'inherit'] as const))],
    env: { ...process.env, ...(isLong ? { CUEVAULT_TEST_LONG: '1' } : {}), [MARK]: folder },
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  // The time of a process is known when it has ended.
  const total = secondsOfEnded();
  spend(part, total - counted);
  counted = total;
  if (code === 0) return;
  failed.push(part);
  console.error(`\n${part}: npm run ${script} failed.\n${output}`);
};

const checks = async () => {
  await run('checks', 'check', true);
  await pythonIsPrepared;
  if (jestArguments.length === 0) await run('Python', 'test:python', true);
};

const tests = async () => {
  await run('build', 'assemble', true);
  if (isLong || process.env.CI) await run('build', 'assemble', true, '--deployment');
  await pythonIsPrepared;
  const isBuilt = !failed.includes('build');
  if (isBuilt) await run('Jest', 'jest', false, ...jestArguments);
  if (!failed.includes('Jest')) await run('calls', 'check:calls', true);
};

/** Divides the time of Jest by the folders of its test files. */
const divide = (): void => {
  const file = path.join(folder, 'seconds');
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []) {
    const [, name = '', spent] = /^([^/]*)\S* (.*)$/.exec(line) ?? [];
    spend(name === 'e2e' ? 'browser' : name, Number(spent));
    spend('Jest', -Number(spent));
  }
};

const close = (): void => {
  const left = endProcesses(folder);
  if (left.length > 0) failed.push(`processes left behind: ${left.join(', ')}`);
  divide();
  const parts = [...seconds].sort(([, one], [, other]) => other - one);
  const texts = parts.map(([part, spent]) => `${part} ${Math.round(spent)}`);
  console.log(`\nProcessor seconds: ${Math.round(counted)} (${texts.join(', ')})`);
  const verdict = failed.length === 0 ? 'npm test passed' : `npm test FAILED (${failed.join('; ')})`;
  console.log(`${verdict} in ${((Date.now() - began) / 60_000).toFixed(1)} min.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
};

// Whatever the processes do about the signal, none outlives this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
process.on('exit', () => {
  endProcesses(folder);
  rmSync(folder, { recursive: true, force: true });
});

process.env.CHROMIUM_PATH = provideBrowser();
// Once, before tests that would each install the same packages into the same folder. Tests that need it say what failed.
const pythonIsPrepared = run('Python', 'python', true);
await Promise.all([checks(), tests()]);
close();
