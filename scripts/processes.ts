// What Linux tells about processes. Other systems have no /proc: nothing is found there.
import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that every process of a test run inherits: the run's temporary folder. */
export const MARK = 'CUEVAULT_TEST_RUN';

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or belongs to someone else.
    return '';
  }
};

/** The processes with these environment variables. */
const processesWith = (...variables: readonly string[]): readonly string[] =>
  (process.platform === 'linux' ? readdirSync('/proc') : []).filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const environment = new Set(read(pid, 'environ').split('\0'));
    return variables.every((variable) => environment.has(variable));
  });

/** User and system time of a process, then of its ended children, in seconds. */
const timesOf = (pid: string): readonly number[] =>
  (read(pid, 'stat').split(') ').at(-1) ?? '')
    .split(' ', 15)
    .slice(11)
    .map((ticks) => Number(ticks) / 100);

const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);

/** Processor seconds of the ended children of this process, and of theirs. */
export const secondsOfEnded = (): number => sum(timesOf('self').slice(2));

/** Processor seconds, so far, of this Jest worker, its children and its instances. */
export const secondsOfWorker = ({ JEST_WORKER_ID, [MARK]: mark } = process.env): number =>
  sum(processesWith(`JEST_WORKER_ID=${JEST_WORKER_ID}`, `${MARK}=${mark}`).flatMap(timesOf));

/**
 * Kills the processes that still run with this mark.
 * @returns Their command lines.
 */
export const endProcesses = (mark: string): readonly string[] =>
  processesWith(`${MARK}=${mark}`).map((pid) => {
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    if (command !== '') process.kill(Number(pid), 'SIGKILL');
    return command;
  });
