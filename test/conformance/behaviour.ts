import type { ClientConfig, DriverError, Operation } from './driver.ts';
import type { Fault } from './fault-proxy.ts';

/** Something that the client is asked, and what must come out: the parts given must be there. */
export interface Ask {
  readonly op: Operation;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
  /** Another client than the behaviour's first, made with these settings on top. */
  readonly client?: string;
  readonly settings?: ClientConfig;
  readonly ok?: unknown;
  /** As `ok`, but there must be nothing else. */
  readonly equals?: unknown;
  readonly error?: Partial<DriverError>;
  /** Asked again until it comes out so: something goes on in the background. */
  readonly eventually?: boolean;
}

export type Step =
  | Ask
  /** Milliseconds. */
  | { readonly wait: number }
  /** Until the proxy has had so many requests. */
  | { readonly untilCalls: number }
  | { readonly service: 'down' | 'up' };

/** One thing that every client does, with faults between it and a running service. */
export interface Behaviour {
  readonly title: string;
  readonly client?: ClientConfig;
  /** One for each request, in order. */
  readonly faults?: readonly Fault[];
  /** For all later requests. @default pass */
  readonly always?: Fault;
  readonly steps: readonly Step[];
  /** How many requests reach the proxy in the end; not judged when absent. */
  readonly calls?: number;
}

/** In settings and arguments: a new empty folder, one for each behaviour. */
export const FOLDER = '<folder>';
