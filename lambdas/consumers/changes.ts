import type { DynamoDBStreamEvent } from 'aws-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { type ChangeEvent, eventOf } from '../core/events.ts';
import { describeError, log } from '../log.ts';
import { connectEventBus } from '../store/event-bus.ts';
import { recordsOf } from '../store/stream.ts';

const putEvents = connectEventBus();
const stage = process.env[ENVIRONMENT.stage] ?? '';

/** Sends each change to the event bus. If it throws, the stream delivers the same records again. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  const events: ChangeEvent[] = [];
  for (const { after = {}, sequence } of recordsOf(event)) {
    try {
      const change = eventOf(after, stage);
      if (change !== undefined) events.push(change);
    } catch (error) {
      log('error', 'record skipped', { sequence, error: describeError(error) });
    }
  }
  await putEvents(events);
};
