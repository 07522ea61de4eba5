import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
}

// proc(5): the name is in parentheses and may contain some itself; then the state and the parent. A zombie has ended.
const fromProc = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state === 'Z' || state === 'X' ? [] : [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        // It ended in between.
        return [];
      }
    });

const fromPs = (): Process[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));

const processes = (): Process[] => {
  try {
    return process.platform === 'linux' ? fromProc() : fromPs();
  } catch {
    return [];
  }
};

/** The processes of `pids` that still run, and all their descendants. */
export const treeOf = (pids: readonly number[]): number[] => {
  const all = processes();
  const found = new Set(all.flatMap(({ pid }) => (pids.includes(pid) ? [pid] : [])));
  // Iterating over a set also visits members added meanwhile.
  for (const pid of found) {
    for (const other of all) if (other.parent === pid) found.add(other.pid);
  }
  return [...found];
};
