import { LIMITS } from '../../contract/limits.ts';
import { daysAfter } from './days.ts';

/** The earliest time (ISO 8601) of what can still be brought back at `now`: seven days ago. */
export const restorableSince = (now: Date): string => daysAfter(now, -LIMITS.restoreDays).toISOString();

/** Whether something deleted or replaced at a time (ISO 8601) can still be brought back at `now`. */
export const restorable = (since: string, now: Date): boolean => since >= restorableSince(now);

/** Until when what was deleted at a time (ISO 8601) can be restored. */
export const restorableUntil = (deletedAt: string): string =>
  daysAfter(new Date(deletedAt), LIMITS.restoreDays).toISOString();
