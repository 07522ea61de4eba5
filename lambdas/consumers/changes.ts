import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { type ChangeEvent, eventOf } from '../core/events.ts';
import { describeError, log } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { connectEventBus } from '../store/event-bus.ts';
import type { NewItem } from '../store/stream.ts';
import { failingEvents } from '../store/usage/failing-events.ts';
import { inParts } from './in-parts.ts';

const putEvents = connectEventBus();
const table = connectTable();
const stage = process.env[ENVIRONMENT.stage] ?? '';

const eventsOf = (records: readonly NewItem[]): ChangeEvent[] =>
  records.flatMap(({ after, sequence }) => {
    if (!String(after.pk).startsWith(PARTITIONS.auditChange)) return [];
    try {
      return eventOf(after, stage) ?? [];
    } catch (error) {
      log('error', 'record skipped', { sequence, error: describeError(error) });
      return [];
    }
  });

/** Sends each change, and which calls fail, to the event bus. */
export const handler = inParts(async (records) =>
  putEvents([...eventsOf(records), ...(await failingEvents(table, records))]),
);
