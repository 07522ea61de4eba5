import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that every process of a test run inherits. */
export const MARK = 'CUEVAULT_TEST_RUN';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, or belongs to someone else.
    return '';
  }
};

/**
 * Kills the processes that still run with this mark.
 * @returns Their command lines; empty if the system has no `/proc`.
 */
export const endProcessesMarked = (mark: string): readonly string[] => {
  if (process.platform !== 'linux') return [];
  const marked = readdirSync('/proc').filter((pid) =>
    read(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`),
  );
  return marked.map((pid) => {
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
    return command;
  });
};
