import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../contract/documentation/service.ts';
import type { ChangeEvent } from '../../lambdas/core/events.ts';

/** Codes of Node.js and undici, in words for operators. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The receiver closed the connection.',
  ENOTFOUND: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host cannot be reached.',
  UND_ERR_SOCKET: 'The receiver closed the connection.',
};

/**
 * Says in one sentence why `fetch` failed. It does not use the messages of its errors, because they can contain the
 * address, and so a token.
 */
const problemOf = (error: unknown, timeoutMs: number): string => {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `The receiver did not answer within ${timeoutMs / 1000} seconds.`;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return 'The connection failed.';
  return CODES[code] ?? `The connection failed (${code}).`;
};

// The timeout is that of API destinations, which retry for 24 hours.
const TIMING = { timeoutMs: 5_000, pausesMs: [500, 2_000, 8_000] };
const KEPT_DELIVERIES = 100;
/** Maximum number of concurrent attempts. */
const LANES = 8;

interface KeptDelivery {
  readonly body: string;
  delivery: Delivery;
}

/** Runs work in order, as much of it at once as there are lanes. */
const createLanes = () => {
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  let turn = 0;
  return (work: () => Promise<void>): Promise<void> => {
    const lane = turn++ % LANES;
    const done = Promise.resolve(lanes[lane]).then(work);
    lanes[lane] = done;
    return done;
  };
};

/**
 * Posts events to an address, as an API destination of EventBridge does. A 2xx reply ends a delivery; anything else,
 * redirects included, is retried after a pause. `onLog` receives a line for each event that no attempt delivers. The
 * address appears in no log line. `timeoutMs` is for one attempt, `pausesMs` are before the second and the later ones.
 */
export const openWebhook = (
  address: string,
  onLog: (line: string) => void,
  { timeoutMs, pausesMs } = TIMING,
) => {
  const stopping = new AbortController();
  const kept = new Map<string, KeptDelivery>();
  const running = new Set<Promise<void>>();
  const inLane = createLanes();

  const post = async (body: string): Promise<Pick<Delivery, 'status' | 'error'>> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    try {
      const reply = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await reply.body?.cancel();
      return { status: reply.status, error: reply.ok ? null : `The receiver answered with ${reply.status}.` };
    } catch (error) {
      return { status: null, error: problemOf(error, timeoutMs) };
    }
  };

  const attempt = async (entry: KeptDelivery, isLast: boolean): Promise<void> => {
    if (stopping.signal.aborted) return;
    const outcome = await post(entry.body);
    entry.delivery = {
      ...entry.delivery,
      ...outcome,
      at: new Date().toISOString(),
      attempts: entry.delivery.attempts + 1,
      state: outcome.error === null ? 'delivered' : isLast ? 'failed' : 'pending',
    };
  };

  const attempts = async (entry: KeptDelivery): Promise<void> => {
    const pauses = [0, ...pausesMs];
    for (const [index, pause] of pauses.entries()) {
      await sleep(pause, undefined, { signal: stopping.signal });
      await inLane(() => attempt(entry, index === pauses.length - 1));
      if (entry.delivery.state !== 'pending') break;
    }
    const { state, type, eventId, error } = entry.delivery;
    if (state === 'failed')
      onLog(`The event ${type} (${eventId}) was not delivered to the webhook. ${error}\n`);
  };

  const start = (entry: KeptDelivery): void => {
    const done = attempts(entry)
      // Only stopping interrupts it.
      .catch(() => undefined)
      .finally(() => running.delete(done));
    running.add(done);
  };

  return {
    /** Scheme, host and port of the address: the rest can contain a token. */
    receiver: new URL(address).origin,
    /** Starts to deliver an event, which is given as JSON. */
    deliver: (body: string): void => {
      const { id: eventId, type, subject, name } = JSON.parse(body) as ChangeEvent;
      const deliveryId = randomUUID();
      const at = new Date().toISOString();
      const fresh = { at, state: 'pending', attempts: 0, status: null, error: null } as const;
      const entry: KeptDelivery = { body, delivery: { deliveryId, eventId, type, subject, name, ...fresh } };
      kept.set(deliveryId, entry);
      for (const oldest of [...kept.keys()].slice(0, -KEPT_DELIVERIES)) kept.delete(oldest);
      start(entry);
    },
    /** The last deliveries, newest first. */
    deliveries: () => [...kept.values()].map(({ delivery }) => delivery).reverse(),
    /** Delivers an event again, unless it is being delivered. Undefined if the delivery is no longer kept. */
    sendAgain: (deliveryId: string) => {
      const entry = kept.get(deliveryId);
      if (entry !== undefined && entry.delivery.state !== 'pending') {
        entry.delivery = { ...entry.delivery, state: 'pending' };
        start(entry);
      }
      return entry?.delivery;
    },
    /** Resolves when no delivery is pending. */
    settled: async () => {
      await Promise.all(running);
    },
    /** Ends all deliveries at once. */
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};

export type Webhook = ReturnType<typeof openWebhook>;
