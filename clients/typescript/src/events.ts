import type { CuevaultError } from './errors.ts';

/** What an event is about: a prompt by its name or id, a secret by its key, or, without name, several secrets. */
export interface Subject {
  readonly operation: 'prompt' | 'secrets' | 'whoami';
  readonly name: string | undefined;
}

/** What happens inside a client. No event contains an API key, a variable or the value of a secret. */
export type CuevaultEvent = Subject &
  (
    | {
        /** One attempt has ended; `status` is undefined without a reply, `error` when it succeeded. */
        readonly type: 'request';
        /** Counted from 1. */
        readonly attempt: number;
        readonly durationMs: number;
        readonly status?: number | undefined;
        readonly requestId?: string | undefined;
        /** Fields that the service does not know, as its header has them: it may be older than the client. */
        readonly ignored?: string | undefined;
        /** Code of the error, as in all events. */
        readonly error?: string | undefined;
      }
    | {
        /** An attempt failed; the next one follows after a pause. */
        readonly type: 'retry';
        readonly attempt: number;
        readonly delayMs: number;
        readonly error: string;
      }
    | {
        /** A recent copy answered. */
        readonly type: 'cache_hit';
        /** Milliseconds since the service returned it. */
        readonly ageMs: number;
        /** Version of the prompt. */
        readonly version?: string | undefined;
      }
    | {
        /** An old copy answered; `error` is that of the failure, where there was one. */
        readonly type: 'stale_served';
        readonly origin: 'memory' | 'offline';
        readonly ageMs: number;
        readonly version?: string | undefined;
        readonly error?: string | undefined;
      }
    | {
        /** The fallback answered, a refresh in the background failed, or the offline copy could not be written. */
        readonly type: 'fallback_served' | 'refresh_failed' | 'offline_failed';
        readonly error: string;
      }
    | {
        /** A call failed: for this time nothing is sent. */
        readonly type: 'breaker_open';
        readonly pauseMs: number;
        readonly error: string;
      }
  );

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
