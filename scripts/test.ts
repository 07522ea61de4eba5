// npm test: installs the browser and the Python tools, runs the static checks, Jest and the Python client's tests, and
// prints a one-line summary. Arguments are passed to Jest and skip Python: npm test -- test/unit. With --long as the
// first argument (npm run test:long), tests run all cases instead of a sample. With CI set, tests that fail run
// again, up to twice, in a new process; the summary names those that pass only then.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { provideBrowser } from './browser.ts';
import { filesToRepeat, type JestReport, judge, RERUNS } from './flaky.ts';
import { endProcessesMarked, MARK } from './marked-processes.ts';

interface Outcome {
  readonly part: string;
  /** Number of passed tests; absent for a static check. */
  readonly passed?: number;
  /** Why the part failed, or undefined. */
  readonly failure?: string | undefined;
  /** Tests that passed only in a further run. */
  readonly flaky?: readonly string[];
}

const began = Date.now();
const [first, ...others] = process.argv.slice(2);
const isLong = first === '--long';
const jestArguments = isLong || first === undefined ? others : [first, ...others];
const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-npm-test-'));
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
  const passed = [...output.matchAll(/(\d+) passed.* in /g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  const flaky = [...output.matchAll(/^flaky: (.+)$/gm)].map(([, test]) => `clients/python/${test}`);
  if (outcome.failure === undefined && flaky.length > 0) console.error(`\nPython:\n${output}`);
  const failure = outcome.failure ?? (passed === 0 ? 'no test ran' : undefined);
  return { ...outcome, passed, failure, flaky };
};

const jestRun = async (name: string, args: readonly string[]) => {
  const file = path.join(folder, name);
  const failure = await codeOf(start(npm('jest', '--json', `--outputFile=${file}`, ...args), 'inherit'));
  const report: JestReport | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined;
  return { failure, report };
};

const jest = async (): Promise<Outcome> => {
  const part = 'Jest';
  let { report, failure } = await jestRun('jest.json', jestArguments);
  if (report === undefined) return { part, failure: failure ?? 'left no report' };
  const reports = [report];
  for (let run = 1; run <= RERUNS && jestArguments.length === 0; run += 1) {
    const files = filesToRepeat(report);
    if (files.length === 0) break;
    console.error(`\nRunning again what failed:\n${files.join('\n')}\n`);
    const again = await jestRun(`jest-${run}.json`, ['--runInBand', '--runTestsByPath', ...files]);
    failure = again.failure;
    if (again.report === undefined) break;
    report = again.report;
    reports.push(report);
  }
  const { passed, failed, flaky } = judge(reports);
  const reason = failed > 0 ? `${failed} failed` : passed === 0 ? 'no test ran' : undefined;
  return { part, passed, flaky, failure: reason ?? failure };
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
  const flaky = outcomes.flatMap((outcome) => outcome.flaky ?? []);
  // A test that fails halfway may leave what it has started.
  if (left.length > 0 && flaky.length === 0) failures.push(`processes left behind: ${left.join(', ')}`);
  const counts = outcomes.flatMap(({ part, passed }) => (passed === undefined ? [] : `${part} ${passed}`));
  const total = outcomes.reduce((sum, { passed = 0 }) => sum + passed, 0);
  const tally = `${total} tests passed (${counts.join(', ')}) in ${duration()}`;
  const warning = flaky.length === 0 ? '' : ` FLAKY, passed only in a further run: ${flaky.join('; ')}.`;
  console.log(
    failures.length === 0
      ? `\nnpm test: ${tally}.${warning}`
      : `\nnpm test FAILED: ${failures.join('; ')}. ${tally}.${warning}`,
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
