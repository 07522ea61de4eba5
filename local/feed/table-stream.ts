import type { EngineCalls } from '../engine/calls.ts';

/** A record as DynamoDB Streams returns it, and as Lambda passes it to functions. */
export interface TableRecord {
  readonly dynamodb: { readonly SequenceNumber: string };
}

/** The stream of a table, shard by shard, from the position where reading last stopped. */
export interface TableStream {
  /** The next records, at most 1,000; none at the end. Returns the same ones until `advance` is called. */
  readonly next: () => Promise<readonly TableRecord[]>;
  /** Continues after the records that `next` returned last. */
  readonly advance: () => void;
}

interface Shard {
  readonly ShardId: string;
}

interface Position {
  readonly shardId: string;
  readonly sequence: string;
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
export const ensureStream = async (engine: EngineCalls, TableName: string): Promise<string> => {
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

/** Opens a stream after a sequence number of its one shard, or at its oldest record. */
export const openTableStream = (engine: EngineCalls, StreamArn: string, after?: string): TableStream => {
  // The position in each shard that was read. Shards are listed oldest first.
  const left = new Map<string, string>();
  let given: Position | undefined;

  const shards = async (): Promise<readonly Shard[]> => {
    const target = 'DynamoDBStreams_20120810.DescribeStream';
    const { StreamDescription } = await call<{ StreamDescription: { Shards?: Shard[] } }>(engine, target, {
      StreamArn,
    });
    return StreamDescription.Shards ?? [];
  };

  const recordsOf = async (ShardId: string): Promise<readonly TableRecord[]> => {
    const SequenceNumber = left.get(ShardId) ?? after;
    const { ShardIterator } = await call<{ ShardIterator: string }>(
      engine,
      'DynamoDBStreams_20120810.GetShardIterator',
      {
        ...{ StreamArn, ShardId },
        ...(SequenceNumber === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }),
      },
    );
    const target = 'DynamoDBStreams_20120810.GetRecords';
    const { Records = [] } = await call<{ Records?: TableRecord[] }>(engine, target, {
      ShardIterator,
      Limit: 1_000,
    });
    return Records;
  };

  return {
    next: async () => {
      for (const { ShardId } of await shards()) {
        const records = await recordsOf(ShardId);
        const last = records.at(-1);
        if (last === undefined) continue;
        given = { shardId: ShardId, sequence: last.dynamodb.SequenceNumber };
        return records;
      }
      given = undefined;
      return [];
    },
    advance: () => {
      if (given !== undefined) left.set(given.shardId, given.sequence);
    },
  };
};
