import { setTimeout as sleep } from 'node:timers/promises';
import { isThrottled } from '../failures.ts';
import type { Hot, Item } from '../table.ts';

const ATTEMPTS = 7;

/**
 * Pauses after attempt `n` (from 1) was throttled: full jitter, doubling from 20 ms up to 320 ms; at most 1.3 s in
 * total.
 */
export const afterThrottle = (n: number): Promise<void> => sleep(Math.random() * Math.min(320, 10 * 2 ** n));

/**
 * Reads a row that every call needs. After a throttled read, it may return a row that this container has read at most a
 * second ago; without one, it retries with jitter. `accept` verifies what was read. Errors: those of `accept`;
 * `unavailable`.
 */
export const readHotRow = async <Entity>(
  hot: Hot,
  id: string,
  read: () => Promise<Item | undefined>,
  accept: (item: Item | undefined) => Promise<Entity | undefined>,
): Promise<Entity | undefined> => {
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
