import type { ClientConfig, DriverError, Operation } from './driver.ts';
import type { Fault } from './fault-proxy.ts';

/** An operation of the client, and the expected result: the given parts must match. */
export interface Ask {
  readonly op: Operation;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
  /** Another client, with these settings added. */
  readonly client?: string;
  readonly settings?: ClientConfig;
  readonly ok?: unknown;
  /** As `ok`, but nothing else is allowed. */
  readonly equals?: unknown;
  readonly error?: Partial<DriverError>;
  /** Freezes the driver's process for so long once a request of the operation has reached the proxy. */
  readonly freezeMs?: number;
  /** Repeated until the result matches: something runs in the background. */
  readonly eventually?: boolean;
}

export type Step =
  | Ask
  /** Moves the driver's clocks forward by so many milliseconds, or only one of them: the other stands still. */
  | { readonly pass: number; readonly only?: 'wall' | 'steady' }
  /** Until the driver has no work behind its answers. */
  | { readonly quiet: true }
  /** Freezes the driver's process for so many milliseconds. */
  | { readonly freeze: number }
  /** Until the proxy has had so many requests. */
  | { readonly untilCalls: number }
  /** What has authorized the requests so far. */
  | { readonly sent: readonly string[] }
  /** Looks at the behaviour's folder, or changes it. */
  | { readonly inFolder: (folder: string) => void }
  | { readonly service: 'down' | 'up' };

/** A behaviour of every client, with faults between it and a running service. */
export interface Behaviour {
  readonly title: string;
  readonly client?: ClientConfig;
  /** One for each request, in order. */
  readonly faults?: readonly Fault[];
  /** For all later requests. @default pass */
  readonly always?: Fault;
  readonly steps: readonly Step[];
  /** How many requests reach the proxy; not checked if absent. */
  readonly calls?: number;
}

/** In settings and arguments: a new folder, one for each behaviour, with the API key in its file `key`. */
export const FOLDER = '<folder>';

/** In settings: the address of the proxy. */
export const ADDRESS = '<address>';

// Reads of the samples, what they get, and what a client says without the service.
export const greeting = (more: Readonly<Record<string, unknown>> = {}) =>
  ({ op: 'prompts.get', args: { name: 'greeting', ...more } }) as const;
export const GREETING = greeting();
export const ALL = { op: 'secrets.all' } as const;
export const OPENAI = { OPENAI_API_KEY: 'sk-sample-not-a-real-key' };
export const DATABASE = { DATABASE_URL: 'postgres://app:sample@localhost:5432/app' };
export const GONE = { type: 'UnavailableError', code: 'connection_failed' };
