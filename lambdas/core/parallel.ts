const WIDTH = 16;

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

/** Runs the work for each item, a batch of `width` at a time, and yields the results in order. */
export async function* inBatches<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  width = WIDTH,
): AsyncGenerator<Result> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < width) continue;
    yield* await inParallel(batch, work);
    batch = [];
  }
  yield* await inParallel(batch, work);
}

/** Merges sorted generators: yields the first of their next items, as `compare` sorts them. */
export async function* merged<Item>(
  sorted: readonly AsyncGenerator<Item>[],
  compare: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const heads = await Promise.all(sorted.map(async (items) => ({ items, next: await items.next() })));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done === true) continue;
      if (first === undefined || compare(head.next.value, first.next.value) < 0) first = head;
    }
    if (first === undefined) return;
    yield first.next.value;
    first.next = await first.items.next();
  }
}
