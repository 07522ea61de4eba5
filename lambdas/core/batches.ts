import { inParallel, WIDTH } from './parallel.ts';

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
