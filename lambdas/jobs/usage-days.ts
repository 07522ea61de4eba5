import { log, logFailure } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { createDayRows } from '../store/usage/day-rows.ts';

const computeDays = createDayRows(connectTable());

/** Computes the use of recent days. Throws, and so raises the alarm of the job, if it fails; the next run continues. */
export const handler = async (): Promise<void> => {
  try {
    const days = await computeDays(new Date());
    if (days.length > 0) log('info', 'use of days computed', { days });
  } catch (error) {
    logFailure('use of days not computed', error);
    throw error;
  }
};
