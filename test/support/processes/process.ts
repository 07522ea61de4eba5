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

let runs = 0;
/** Runs a script (path in the repository) in this process, as often as wanted; returns what it printed, and its exit status. */
export const runHere = async (script: string, ...args: string[]) => {
  const { argv, exitCode } = process;
  const { log, error } = console;
  const printed: unknown[] = [];
  console.log = console.error = (text: unknown) => void printed.push(text);
  process.argv = ['node', script, ...args];
  process.exitCode = 0;
  runs += 1;
  await import(`../../../${script}?${runs}`);
  const status = process.exitCode;
  Object.assign(console, { log, error });
  Object.assign(process, { argv, exitCode });
  return { status, output: printed.join('\n') };
};
