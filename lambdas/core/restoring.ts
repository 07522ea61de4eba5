import { LIMITS } from '../../contract/limits.ts';
import { daysAfter } from './days.ts';

/** The earliest deletion time (ISO 8601) that can still be restored at `now`: seven days ago. */
export const restorableSince = (now: Date): string => daysAfter(now, -LIMITS.restoreDays).toISOString();

/**
 * What was deleted or replaced before this time (ISO 8601) is purged: a day after it could last be restored, so that no
 * restore is under way.
 */
export const purgedBefore = (now: Date): string => daysAfter(now, -LIMITS.restoreDays - 1).toISOString();

/** Whether something deleted or replaced at a time (ISO 8601) can still be restored at `now`. */
export const restorable = (since: string, now: Date): boolean => since >= restorableSince(now);

/** Until when something deleted at a time (ISO 8601) can be restored. */
export const restorableUntil = (deletedAt: string): string =>
  daysAfter(new Date(deletedAt), LIMITS.restoreDays).toISOString();
