import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { type Consumer, patternOf } from '../../contract/functions/consumers.ts';
import { connectEngine, type EngineCalls } from '../engine/calls.ts';
import type { Outcome } from '../functions/functions.ts';
import { matchesPattern, type Pattern } from './patterns.ts';
import { openTrimming } from './trimming.ts';

/** A record as DynamoDB Streams returns it, and as Lambda passes it to functions. */
export interface TableRecord {
  readonly dynamodb: { readonly SequenceNumber: string };
}

interface DescribedStream {
  readonly StreamDescription: { readonly Shards?: readonly { readonly ShardId: string }[] };
}

const VIEW = 'NEW_AND_OLD_IMAGES';

const call = async <Reply>(engine: EngineCalls, target: string, fields: object): Promise<Reply> => {
  const { status, body } = await engine.call(target, JSON.stringify(fields));
  if (status !== 200) throw new Error(`The engine refused ${target}: ${body.toString()}`);
  return JSON.parse(body.toString()) as Reply;
};

interface Described {
  readonly Table: {
    readonly LatestStreamArn?: string;
    readonly StreamSpecification?: { readonly StreamEnabled?: boolean };
  };
}

/**
 * Enables the stream of a table unless it has one: a second one would lose the records of the first. Returns its ARN.
 */
const ensureStream = async (engine: EngineCalls, TableName: string): Promise<string> => {
  const described = () => call<Described>(engine, 'DynamoDB_20120810.DescribeTable', { TableName });
  const before = (await described()).Table;
  if (before.LatestStreamArn !== undefined && before.StreamSpecification?.StreamEnabled === true) {
    return before.LatestStreamArn;
  }
  const StreamSpecification = { StreamEnabled: true, StreamViewType: VIEW };
  await call(engine, 'DynamoDB_20120810.UpdateTable', { TableName, StreamSpecification });
  const { LatestStreamArn } = (await described()).Table;
  if (LatestStreamArn === undefined) throw new Error('The engine did not create a stream for the table.');
  return LatestStreamArn;
};

/** Opens a stream, shard by shard, after a sequence number of its one shard, or at its oldest record. */
const openTableStream = (engine: EngineCalls, StreamArn: string, after?: string) => {
  // The position in each shard that was read. Shards are listed oldest first.
  const left = new Map<string, string>();
  let given: readonly [shardId: string, sequence: string] | undefined;

  const ofStream = <Reply>(operation: string, fields: object) =>
    call<Reply>(engine, `DynamoDBStreams_20120810.${operation}`, fields);

  const recordsOf = async (ShardId: string): Promise<readonly TableRecord[]> => {
    const SequenceNumber = left.get(ShardId) ?? after;
    const ShardIteratorType = SequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER';
    const from = { StreamArn, ShardId, ShardIteratorType, SequenceNumber };
    const { ShardIterator } = await ofStream<{ ShardIterator: string }>('GetShardIterator', from);
    const read = { ShardIterator, Limit: 1_000 };
    return (await ofStream<{ Records?: TableRecord[] }>('GetRecords', read)).Records ?? [];
  };

  return {
    /** The next records, at most 1,000; none at the end. Returns the same ones until `advance` is called. */
    next: async () => {
      const { StreamDescription } = await ofStream<DescribedStream>('DescribeStream', { StreamArn });
      for (const { ShardId } of StreamDescription.Shards ?? []) {
        const records = await recordsOf(ShardId);
        const last = records.at(-1);
        if (last === undefined) continue;
        given = [ShardId, last.dynamodb.SequenceNumber];
        return records;
      }
      given = undefined;
      return [];
    },
    /** Continues after the records that `next` returned last. */
    advance: () => {
      if (given !== undefined) left.set(...given);
    },
  };
};

export interface FeedOptions {
  readonly engineEndpoint: string;
  readonly tableName: string;
  /** The embedded engine's file; undefined for a DynamoDB that was started elsewhere. */
  readonly file: string | undefined;
  readonly consumers: readonly Pick<Consumer, 'id' | 'inserts'>[];
  readonly invoke: (operationId: string, event: unknown) => Promise<Outcome>;
  readonly onLog: (line: string) => void;
  /** Receives a record that a consumer has failed to process. */
  readonly onFailed: (consumer: string, record: object, why: string) => void;
  /**
   * Runs a callback after some milliseconds, or never; then only `settled` reads the stream. Tests replace it.
   * @default - a timer that does not keep the process alive
   */
  readonly later?: (run: () => Promise<void>, delayMs: number) => NodeJS.Timeout | undefined;
  /** Milliseconds between two deliveries of a record that fails. @default 1000 */
  readonly retryMs?: number;
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
/** How often a record that fails alone is delivered. */
const ATTEMPTS = 5;
/** Minimum time between two trims of the stream, each of which waits for the lock of the engine's file. */
const TRIM_MS = 1_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * How many of the first records were processed, and why the next was not. With a reply that lists failures, Lambda
 * delivers the records from the first of them again.
 */
const progressOf = (outcome: Outcome, records: readonly TableRecord[]) => {
  if ('failure' in outcome) return { done: 0, why: outcome.failure };
  const { batchItemFailures = [] } = (outcome.reply ?? {}) as Partial<DynamoDBBatchResponse>;
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
  return first === -1 ? { done: records.length } : { done: first, why: 'It was not processed.' };
};

/**
 * Starts to invoke the consumers with batches of the records that match their filters, as Lambda does: each has its own
 * position in the stream, so that none waits for another. A failed batch is delivered again in halves; a record that fails
 * alone several times is passed to `onFailed`, and the next ones follow. A consumed record is never delivered again, not
 * even after a restart.
 */
export const startFeed = async (options: FeedOptions) => {
  const { engineEndpoint, tableName, file, consumers, invoke, onLog, onFailed } = options;
  const { later = (run, delayMs) => setTimeout(run, delayMs).unref(), retryMs = RETRY_MS } = options;
  const engine = connectEngine(engineEndpoint);
  const trimming = file === undefined ? undefined : openTrimming(file, tableName);
  const eventSourceARN = await ensureStream(engine, tableName);
  let stopped = false;

  const positions = new Map(consumers.map(({ id }) => [id, trimming?.positionOf(id)]));
  let trimTimer: NodeJS.Timeout | undefined;
  const trim = (): void => {
    clearTimeout(trimTimer);
    trimTimer = undefined;
    try {
      trimming?.trim(positions);
    } catch (error) {
      // Nothing is lost: the next trim removes more, and records that are delivered again are counted once.
      onLog(`The stream was not trimmed: ${messageOf(error)}\n`);
    }
  };

  const subscribe = (consumer: FeedOptions['consumers'][number]) => {
    const { id } = consumer;
    const pattern = patternOf(consumer) as unknown as Pattern;
    const stream = openTableStream(engine, eventSourceARN, positions.get(id));
    let timer: NodeJS.Timeout | undefined;
    let draining: Promise<unknown> = Promise.resolve();

    /** Returns false if the feed was stopped first. */
    const deliver = async (records: readonly TableRecord[], attempt = 1): Promise<boolean> => {
      if (records.length === 0) return true;
      if (stopped) return false;
      const Records = records.map((record) => ({ ...record, eventSourceARN }));
      const { done, why } = progressOf(await invoke(id, { Records }), records);
      if (why === undefined) return true;
      const left = records.slice(done);
      const half = Math.ceil(left.length / 2);
      if (half < left.length) return (await deliver(left.slice(0, half))) && deliver(left.slice(half));
      onLog(`The function ${id} failed: ${why}\n`);
      if (attempt === ATTEMPTS) {
        for (const record of left) onFailed(id, record, why);
        return true;
      }
      await sleep(retryMs, undefined, { ref: false });
      return deliver(left, attempt + 1);
    };

    /** Consumes the entire stream, or one batch. Returns whether it has reached the end. */
    const drain = async (extent: 'all' | 'batch'): Promise<boolean> => {
      for (;;) {
        const records = await stream.next();
        const last = records.at(-1);
        if (last === undefined || stopped) return true;
        const own = records.filter((record) => matchesPattern(pattern, record));
        if (!(await deliver(own))) return true;
        stream.advance();
        positions.set(id, last.dynamodb.SequenceNumber);
        trimTimer ??= setTimeout(trim, TRIM_MS).unref();
        if (extent === 'batch' && own.length > 0) return false;
      }
    };
    /** One after the other, because records are delivered in order. */
    const drainNext = (extent: 'all' | 'batch'): Promise<boolean> => {
      const drained = draining.catch(() => undefined).then(() => drain(extent));
      draining = drained;
      return drained;
    };

    let hasFailed = false;
    const drainBatch = async (): Promise<void> => {
      timer = undefined;
      const begun = performance.now();
      try {
        // Later writes wait for the next batch, because a batch for each record would cost more than the writes.
        const isAtEnd = await drainNext('batch');
        hasFailed = false;
        if (isAtEnd) return;
        wrote(Math.min(MOST_REST_MS, Math.max(WINDOW_MS, REST * (performance.now() - begun))));
      } catch (error) {
        if (stopped) return;
        // The first one may be the end of the engine, which has a line of its own.
        if (hasFailed) onLog(`${messageOf(error)}\n`);
        hasFailed = true;
        wrote(retryMs);
      }
    };
    const wrote = (delayMs = WINDOW_MS): void => {
      if (!stopped) timer ??= later(drainBatch, delayMs);
    };
    return {
      wrote,
      settled: () => drainNext('all'),
      ended: () => {
        clearTimeout(timer);
        return draining.catch(() => undefined);
      },
    };
  };

  const subscriptions = consumers.map(subscribe);
  const wrote = (): void => {
    for (const each of subscriptions) each.wrote();
  };
  const settled = async (): Promise<void> => {
    await Promise.all(subscriptions.map((each) => each.settled()));
  };

  // Records that were written before the consumers started.
  wrote();
  return {
    /** Call it after each write: the stream is read only when there may be new records. */
    wrote,
    /** Resolves when everything written before the call has been consumed, or has failed for good. */
    settled,
    stop: async () => {
      await Promise.race([settled().catch(() => undefined), sleep(RETRY_MS, undefined, { ref: false })]);
      stopped = true;
      await Promise.all(subscriptions.map((each) => each.ended()));
      trim();
      trimming?.close();
      engine.stop();
    },
  };
};

/** Passes the changes of the table to the functions that its stream invokes on AWS. */
export type Feed = Awaited<ReturnType<typeof startFeed>>;
