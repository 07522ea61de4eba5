import { randomUUID } from 'node:crypto';
import type { AwsReply } from './reply.ts';
import { awsFailure } from './reply.ts';

/** The stand-in for EventBridge. */
export type EventBridge = (target: string, body: unknown) => AwsReply;

interface Entry {
  readonly Detail?: unknown;
}

/** Answers `PutEvents`, and passes on the JSON of each event. */
export const createEventBridge =
  (onEvent: (event: string) => void): EventBridge =>
  (target, body) => {
    if (target !== 'AWSEvents.PutEvents') {
      return awsFailure('UnknownOperationException', 'This operation is not supported here.');
    }
    const { Entries = [] } = body as { Entries?: readonly Entry[] };
    for (const { Detail } of Entries) onEvent(String(Detail));
    const reply = { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) };
    return { status: 200, body: JSON.stringify(reply) };
  };
