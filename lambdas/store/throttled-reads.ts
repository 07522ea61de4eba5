import { setTimeout as sleep } from 'node:timers/promises';
import { isThrottled } from './failures.ts';
import type { Item, Table } from './table.ts';

const ATTEMPTS = 7;

/**
 * Pauses after attempt `n` (from 1) was throttled: full jitter, doubling from 20 ms up to 320 ms; at most 1.3 s in
 * total.
 */
export const afterThrottle = (n: number): Promise<void> => sleep(Math.random() * Math.min(320, 10 * 2 ** n));

/**
 * Reads a row and accepts it with `accept`, which verifies it. In functions that applications call, a throttled read may
 * return a row that the container has read itself at most a second ago; without one, it is repeated with jitter. Errors:
 * those of `accept`; `unavailable`.
 */
export const readThroughThrottling = async <Entity>(
  { hot }: Pick<Table, 'hot'>,
  id: string,
  read: () => Promise<Item | undefined>,
  accept: (item: Item | undefined) => Promise<Entity | undefined>,
): Promise<Entity | undefined> => {
  if (hot === undefined) return accept(await read());
  const cachedWhileThrottled = hot.recent.cachedWhileThrottled(id);
  if (cachedWhileThrottled !== undefined) return cachedWhileThrottled as Entity;
  for (let attempt = 1; ; attempt++) {
    const at = hot.now();
    try {
      const entity = await accept(await read());
      if (entity !== undefined) hot.recent.keep(id, entity, at);
      return entity;
    } catch (error) {
      if (!isThrottled(error)) throw error;
      const own = hot.recent.throttled(id);
      if (own !== undefined) return own as Entity;
      if (attempt === ATTEMPTS) throw error;
      await afterThrottle(attempt);
    }
  }
};
