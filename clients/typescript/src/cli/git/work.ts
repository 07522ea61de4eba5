import type { Terminal } from '../terminal.ts';

const CONCURRENCY = 8;
const SILENCE_MS = 2_000;

/** Reports long work on standard error: at most one line in two seconds, none for short work. */
export const progressOf = (terminal: Terminal, verb: string, total: number): (() => void) => {
  let said = performance.now();
  let done = 0;
  return () => {
    done++;
    if (done === total || performance.now() - said < SILENCE_MS) return;
    said = performance.now();
    terminal.err(`cuevault: ${verb} ${done} of ${total}\n`);
  };
};

/**
 * Runs a task for each item, several at once, and returns the results in the order of the items. After a failure, no
 * further task begins. Errors: the first of a task.
 */
export const eachOf = async <Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const queue = [...items.entries()];
  const results: Result[] = [];
  const run = async () => {
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        results[next[0]] = await task(next[1]);
    } finally {
      queue.length = 0;
    }
  };
  for (const ended of await Promise.allSettled(Array.from({ length: CONCURRENCY }, run)))
    if (ended.status === 'rejected') throw ended.reason;
  return results;
};
