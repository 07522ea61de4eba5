import type { CuevaultError } from './errors.ts';

/** What an event is about: a prompt by its name or id, a secret by its key, or, without name, several secrets. */
export interface Subject {
  readonly operation: 'prompt' | 'secrets' | 'whoami';
  readonly name: string | undefined;
}

interface Attempt {
  /** Counted from 1. */
  readonly attempt: number;
}

interface Failure {
  /** Code of the error. */
  readonly error: string;
}

interface Served {
  /** Milliseconds since the service returned it. */
  readonly ageMs: number;
  /** Version of the prompt. */
  readonly version?: string | undefined;
}

/** One attempt has ended; `status` is undefined without a reply, `error` when it succeeded. */
interface RequestEvent extends Attempt {
  readonly type: 'request';
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly error?: string | undefined;
}

/** An attempt failed; the next one follows after a pause. */
interface RetryEvent extends Attempt, Failure {
  readonly type: 'retry';
  readonly delayMs: number;
}

/** A recent copy answered. */
interface CacheHitEvent extends Served {
  readonly type: 'cache_hit';
}

/** An old copy answered; `error` is the code of the failure, where there was one. */
interface StaleServedEvent extends Served {
  readonly type: 'stale_served';
  readonly origin: 'memory' | 'offline' | 'snapshot';
  readonly error?: string | undefined;
}

/** The fallback answered, a refresh in the background failed, or the offline copy could not be written. */
interface FailureEvent extends Failure {
  readonly type: 'fallback_served' | 'refresh_failed' | 'offline_failed';
}

/** A call failed: for this time nothing is sent. */
interface BreakerOpenEvent extends Failure {
  readonly type: 'breaker_open';
  readonly pauseMs: number;
}

/** What happens inside a client. No event contains an API key, a variable or the value of a secret. */
export type CuevaultEvent = Subject &
  (RequestEvent | RetryEvent | CacheHitEvent | StaleServedEvent | FailureEvent | BreakerOpenEvent);

/** Emits an event; undefined without a listener. */
export type Emit = ((event: CuevaultEvent) => void) | undefined;

/** Passes events on to `onEvent`. Errors that it throws are ignored: a listener must not break a call. */
export const emitterFor = (onEvent: ((event: CuevaultEvent) => void) | undefined): Emit =>
  onEvent &&
  ((event) => {
    try {
      onEvent(event);
    } catch {}
  });

/** The code of an error, `unknown` for one that is not the client's. */
export const codeOf = (error: unknown): string => (error as CuevaultError | undefined)?.code ?? 'unknown';
