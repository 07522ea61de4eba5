import { backOff, ConflictError } from './transactions.ts';
import { StaleHeadError } from './vault/head.ts';

/** Enough for 20 operators who change a prompt at the same time. */
const ATTEMPTS = 12;

/** Retries an attempt that lost a race against another writer. */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      const again = error instanceof ConflictError || error instanceof StaleHeadError;
      if (!again || n === ATTEMPTS) throw error;
      await backOff(n);
    }
  }
};
