import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../../contract/events.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { utf8Bytes } from '../../contract/limits.ts';
import type { ChangeEvent } from '../core/events.ts';
import { CLIENT_OPTIONS } from './connect.ts';
import { mapAwsErrors } from './failures.ts';

/** Puts events on the bus. */
export type PutEvents = (events: readonly ChangeEvent[]) => Promise<void>;

// Limits of one call of PutEvents (Amazon EventBridge User Guide, "Quotas"): 10 entries, 256 KB.
const CALL_ENTRIES = 10;
const CALL_BYTES = 250_000;

const entryOf = (event: ChangeEvent, EventBusName: string) => ({
  Source: EVENT_SOURCE,
  DetailType: event.type,
  Detail: JSON.stringify(event),
  EventBusName,
  Time: new Date(event.time),
});

type Entry = ReturnType<typeof entryOf>;

const callsOf = (entries: readonly Entry[]): Entry[][] => {
  const calls: Entry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = utf8Bytes(entry.Detail) + utf8Bytes(entry.DetailType) + utf8Bytes(entry.Source);
    bytes += size;
    const last = calls.at(-1);
    if (last !== undefined && last.length < CALL_ENTRIES && bytes <= CALL_BYTES) {
      last.push(entry);
    } else {
      calls.push([entry]);
      bytes = size;
    }
  }
  return calls;
};

/** Connects to the event bus that the environment names (`contract/functions/environment.ts`). */
export const connectEventBus = (): PutEvents => {
  const client = new EventBridgeClient(CLIENT_OPTIONS);
  const EventBusName = process.env[ENVIRONMENT.eventBus] ?? '';
  return async (events) => {
    for (const Entries of callsOf(events.map((event) => entryOf(event, EventBusName)))) {
      const { Entries: results = [] } = await mapAwsErrors(client.send(new PutEventsCommand({ Entries })));
      const failed = results.find(({ ErrorCode }) => ErrorCode !== undefined);
      if (failed !== undefined) throw new Error(`The bus rejected an event: ${failed.ErrorCode}`);
    }
  };
};
