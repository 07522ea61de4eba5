import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A node process that runs `script`, an ES module given as text, up to the first line that it prints. */
export const runUntilLine = async (
  script: string,
): Promise<{ readonly child: ChildProcess; readonly line: string }> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, line };
};

/** Kills a process as `kill -9` does. */
export const killHard = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** The processes whose command line contains `text`. */
export const processesWith = (text: string): readonly string[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text));

/** Runs something with other environment variables; undefined removes one. */
export const withVariables = async <Result>(
  variables: Readonly<Record<string, string | undefined>>,
  run: () => Promise<Result>,
): Promise<Result> => {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  }
};

let runs = 0;
/**
 * Runs a script (path in the repository) in this process, as often as wanted. Returns its exit status, and the lines that it
 * printed on standard output and standard error.
 */
export const runHere = async (
  script: string,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
) => {
  const { argv, exitCode } = process;
  const { log, error } = console;
  const out: unknown[] = [];
  const err: unknown[] = [];
  console.log = (text: unknown) => void out.push(text);
  console.error = (text: unknown) => void err.push(text);
  process.argv = ['node', script, ...args];
  process.exitCode = 0;
  runs += 1;
  try {
    await withVariables(variables, () => import(`../../../${script}?${runs}`));
    return { status: process.exitCode, out: out.join('\n'), err: err.join('\n') };
  } finally {
    Object.assign(console, { log, error });
    Object.assign(process, { argv, exitCode });
  }
};
