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

/** Runs a task for each item, several at once. After a failure, no further task begins. Errors: the first of a task. */
export const eachOf = async <Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = [...items];
  const run = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await task(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, run));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
