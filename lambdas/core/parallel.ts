export const WIDTH = 16;

/**
 * Runs the work for each item, up to `width` at once, and returns the results in order. After a failure no new work
 * starts, and the failure is thrown once all running work has ended.
 */
export const inParallel = async <Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  width = WIDTH,
): Promise<Result[]> => {
  const queue = [...items].entries();
  const results: Result[] = [];
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
};

/** Does work whose parts, those that it passes to `attempt`, do not stop each other. Throws their failures together at the end. */
export const withAttempts = async (
  sentence: string,
  work: (attempt: (part: () => Promise<void>) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = [];
  await work((part) => part().catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw new AggregateError(failures, sentence);
};

/** Caches the result of a promise, but not its failure. */
export const memoizeAsync = <Id, Value>(
  memory: Map<Id, Promise<Value>>,
  id: Id,
  make: () => Promise<Value>,
): Promise<Value> => {
  const known = memory.get(id);
  if (known !== undefined) return known;
  const made = make();
  memory.set(id, made);
  made.catch(() => memory.delete(id));
  return made;
};
