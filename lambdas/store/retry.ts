import { StaleError } from '../core/errors.ts';
import { pauseBefore } from './failures.ts';
import { pauseAfter } from './transactions.ts';

/** Enough for 20 operators who change a prompt at the same time. */
const ATTEMPTS = 12;

/** Retries an attempt that lost a race against another writer. */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      await pauseBefore(n === ATTEMPTS, error, pauseAfter(n));
    }
  }
};
