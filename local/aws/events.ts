import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsReply } from './reply.ts';
import { awsFailure } from './reply.ts';

/** The stand-in for EventBridge: answers `PutEvents`, and posts each event to the webhook if there is one. */
export interface EventBridge {
  readonly answer: (target: string, body: unknown) => AwsReply;
  /** Resolves when no delivery is under way. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface EventBridgeOptions {
  /** Address that every event is posted to; undefined: events go nowhere. */
  readonly webhook: string | undefined;
  readonly onLog: (line: string) => void;
}

interface Entry {
  readonly Detail?: unknown;
}

/** Waits before the second attempt and the later ones, in milliseconds. EventBridge goes on for 24 hours. */
const PAUSES_MS = [500, 2_000, 8_000];
const TIMEOUT_MS = 5_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Posts as an API destination does: a 2xx response ends the delivery, anything else is retried. */
export const createEventBridge = ({ webhook, onLog }: EventBridgeOptions): EventBridge => {
  const stopping = new AbortController();
  const deliveries = new Set<Promise<void>>();

  const post = async (url: string, body: string): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const { ok, status } = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    if (!ok) throw new Error(`it answered ${status}`);
  };
  const deliver = async (url: string, body: string): Promise<void> => {
    for (const pause of [0, ...PAUSES_MS]) {
      try {
        await sleep(pause, undefined, { signal: stopping.signal });
        return await post(url, body);
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (pause === PAUSES_MS.at(-1))
          onLog(`An event was not delivered to the webhook: ${messageOf(error)}.\n`);
      }
    }
  };

  return {
    answer: (target, body) => {
      if (target !== 'AWSEvents.PutEvents') {
        return awsFailure('UnknownOperationException', 'This operation is not supported here.');
      }
      const { Entries = [] } = body as { Entries?: readonly Entry[] };
      for (const { Detail } of Entries) {
        if (webhook === undefined) continue;
        const delivery = deliver(webhook, String(Detail)).finally(() => deliveries.delete(delivery));
        deliveries.add(delivery);
      }
      const reply = { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) };
      return { status: 200, body: JSON.stringify(reply) };
    },
    settled: async () => {
      await Promise.all(deliveries);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(deliveries);
    },
  };
};
