// npm test: installs the browser and the Python tools, runs the static checks, Jest and the Python client's tests, and
// prints a one-line summary. Arguments are passed to Jest and skip Python: npm test -- test/unit. With --long as the
// first argument (npm run test:long), tests run all cases instead of a sample.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { provideBrowser } from './browser.ts';
import { endProcessesMarked, MARK } from './marked-processes.ts';

interface Outcome {
  readonly part: string;
  /** Number of passed tests; absent for a static check. */
  readonly passed?: number;
  /** Why the part failed, or undefined. */
  readonly failure?: string | undefined;
}

const began = Date.now();
const [first, ...others] = process.argv.slice(2);
const isLong = first === '--long';
const jestArguments = isLong || first === undefined ? others : [first, ...others];
const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-npm-test-'));
const report = path.join(folder, 'jest.json');
const running = new Set<ChildProcess>();

const npm = (script: string, ...args: string[]) => ['npm', 'run', '--silent', script, '--', ...args] as const;

const start = (command: readonly string[], stdio: 'inherit' | 'pipe'): ChildProcess => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', stdio, stdio],
    env: { ...process.env, ...(isLong ? { CUEVAULT_TEST_LONG: '1' } : {}), [MARK]: folder },
    shell: process.platform === 'win32',
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
};

const codeOf = async (child: ChildProcess): Promise<string | undefined> => {
  const [code, signal] = await once(child, 'close');
  return code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`;
};

// Parts that run in parallel with Jest print their output only at the end, and only if they fail.
const quietly = async (part: string, command: readonly string[]): Promise<Outcome & { output: string }> => {
  const child = start(command, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const failure = await codeOf(child);
  if (failure !== undefined) console.error(`\n${part}:\n${output}`);
  return { part, failure, output };
};

const python = async (): Promise<Outcome> => {
  const { output, ...outcome } = await quietly('Python', npm('test:python'));
  const passed = Number(/(\d+) passed/.exec(output)?.[1] ?? 0);
  return { ...outcome, passed, failure: outcome.failure ?? (passed === 0 ? 'no test ran' : undefined) };
};

const jest = async (): Promise<Outcome> => {
  const part = 'Jest';
  const command = npm('jest', '--json', `--outputFile=${report}`, ...jestArguments);
  const failure = await codeOf(start(command, 'inherit'));
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
    const reason = failed > 0 ? `${failed} failed` : passed === 0 ? 'no test ran' : undefined;
    return { part, passed, failure: reason ?? failure };
  } catch {
    return { part, failure: failure ?? 'left no report' };
  }
};

const checks = async (): Promise<Outcome[]> => {
  const { output: _, ...check } = await quietly('Checks', npm('check'));
  return jestArguments.length > 0 ? [check] : [check, await python()];
};

const tests = async (): Promise<Outcome[]> => {
  const { output: _, ...assembly } = await quietly('Assembly', npm('assemble'));
  return assembly.failure === undefined ? [await jest()] : [assembly];
};

const prepare = (): void => {
  process.env.CHROMIUM_PATH = provideBrowser();
  const { status } = spawnSync(process.execPath, ['scripts/python.mjs'], { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Error('The tests need Python 3.9 or later. See the output above for what is missing.');
};

const duration = (): string => {
  const seconds = Math.round((Date.now() - began) / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

const close = (outcomes: readonly Outcome[]): void => {
  const left = endProcessesMarked(folder);
  const failures = outcomes.flatMap(({ part, failure }) =>
    failure === undefined ? [] : `${part} (${failure})`,
  );
  if (left.length > 0) failures.push(`processes left behind: ${left.join(', ')}`);
  const counts = outcomes.flatMap(({ part, passed }) => (passed === undefined ? [] : `${part} ${passed}`));
  const total = outcomes.reduce((sum, { passed = 0 }) => sum + passed, 0);
  const tally = `${total} tests passed (${counts.join(', ')}) in ${duration()}`;
  console.log(
    failures.length === 0 ? `\nnpm test: ${tally}.` : `\nnpm test FAILED: ${failures.join('; ')}. ${tally}.`,
  );
  if (failures.length > 0) process.exitCode = 1;
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

try {
  prepare();
  close((await Promise.all([checks(), tests()])).flat());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
