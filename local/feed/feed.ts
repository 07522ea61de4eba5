import { setTimeout as sleep } from 'node:timers/promises';
import { connectEngine } from '../engine/calls.ts';
import type { Outcome } from '../functions/functions.ts';
import type { TemplateConsumer } from '../template/template.ts';
import { matchesPattern } from './patterns.ts';
import { ensureStream, openTableStream, type TableRecord } from './table-stream.ts';
import { openTrimming } from './trimming.ts';

export interface FeedOptions {
  readonly engineEndpoint: string;
  readonly tableName: string;
  /** The embedded engine's file; undefined for a DynamoDB that was started elsewhere. */
  readonly file: string | undefined;
  readonly consumers: readonly TemplateConsumer[];
  readonly invoke: (operationId: string, event: unknown) => Promise<Outcome>;
  readonly onLog: (line: string) => void;
  /**
   * Runs a callback after some milliseconds, or never; then only `settled` reads the stream. Tests replace it.
   * @default - a timer that does not keep the process alive
   */
  readonly later?: (run: () => Promise<void>, delayMs: number) => NodeJS.Timeout | undefined;
}

/** Passes the changes of the table to the functions that its stream invokes on AWS. */
export interface Feed {
  /** Call it after each write: the stream is read only when there may be new records. */
  readonly wrote: () => void;
  /** Resolves when everything written before the call has been consumed. Rejects if a consumer fails. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How long writes are gathered before the consumers get them. */
const WINDOW_MS = 250;
/**
 * Under load, consumers pause for this many times as long as they have worked, so that they take at most a fifth of the
 * time.
 */
const REST = 4;
const MOST_REST_MS = 1_000;
const RETRY_MS = 1_000;
/** Minimum time between two trims of the stream, each of which waits for the lock of the engine's file. */
const TRIM_MS = 1_000;

/**
 * Starts to invoke the consumers of the template with batches of the records that match their filters, as Lambda does.
 * A failed batch is delivered again; a consumed one never is, not even after a restart.
 */
export const startFeed = async (options: FeedOptions): Promise<Feed> => {
  const { engineEndpoint, tableName, file, consumers, invoke, onLog } = options;
  const { later = (run, delayMs) => setTimeout(run, delayMs).unref() } = options;
  const engine = connectEngine(engineEndpoint);
  const trimming = file === undefined ? undefined : openTrimming(file, tableName);
  const eventSourceARN = await ensureStream(engine, tableName);
  const stream = openTableStream(engine, eventSourceARN, trimming?.position);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<unknown> = Promise.resolve();

  /** Whether any record was for the consumer. */
  const hand = async (
    { operationId, patterns }: TemplateConsumer,
    records: readonly TableRecord[],
  ): Promise<boolean> => {
    const Records = records.filter((record) => patterns.some((pattern) => matchesPattern(pattern, record)));
    if (Records.length === 0) return false;
    const outcome = await invoke(operationId, {
      Records: Records.map((record) => ({ ...record, eventSourceARN })),
    });
    if ('failure' in outcome) throw new Error(`The function ${operationId} failed: ${outcome.failure}`);
    return true;
  };

  let consumed: string | undefined;
  let trimTimer: NodeJS.Timeout | undefined;
  const trim = (): void => {
    clearTimeout(trimTimer);
    trimTimer = undefined;
    try {
      if (consumed !== undefined) trimming?.trim(consumed);
      consumed = undefined;
    } catch (error) {
      // Nothing is lost: the next trim removes more, and records that are delivered again are counted once.
      onLog(`The stream was not trimmed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
  const trimLater = (sequence: string): void => {
    consumed = sequence;
    trimTimer ??= setTimeout(trim, TRIM_MS).unref();
  };

  /** Consumes the entire stream, or one batch. Returns whether it has reached the end. */
  const drain = async (extent: 'all' | 'batch'): Promise<boolean> => {
    for (;;) {
      const records = await stream.next();
      const last = records.at(-1);
      if (last === undefined || stopped) return true;
      const handed = await Promise.all(consumers.map((consumer) => hand(consumer, records)));
      stream.advance();
      trimLater(last.dynamodb.SequenceNumber);
      if (extent === 'batch' && handed.includes(true)) return false;
    }
  };
  /** One after the other, because records are delivered in order. */
  const drainNext = (extent: 'all' | 'batch'): Promise<boolean> => {
    const drained = draining.catch(() => undefined).then(() => drain(extent));
    draining = drained;
    return drained;
  };

  const drainBatch = async (): Promise<void> => {
    timer = undefined;
    const begun = performance.now();
    try {
      // Later writes wait for the next batch, because a batch for each record would cost more than the writes.
      if (await drainNext('batch')) return;
      wrote(Math.min(MOST_REST_MS, Math.max(WINDOW_MS, REST * (performance.now() - begun))));
    } catch (error) {
      if (stopped) return;
      onLog(`${error instanceof Error ? error.message : String(error)}\n`);
      wrote(RETRY_MS);
    }
  };
  const wrote = (delayMs = WINDOW_MS): void => {
    if (!stopped) timer ??= later(drainBatch, delayMs);
  };
  const settled = async (): Promise<void> => {
    await drainNext('all');
  };

  // Records that were written before the consumers started.
  wrote();
  return {
    wrote: () => wrote(),
    settled,
    stop: async () => {
      await Promise.race([settled().catch(() => undefined), sleep(RETRY_MS, undefined, { ref: false })]);
      stopped = true;
      clearTimeout(timer);
      await draining.catch(() => undefined);
      trim();
      trimming?.close();
      engine.stop();
    },
  };
};
