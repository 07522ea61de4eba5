import type { EngineCalls } from '../engine/calls.ts';

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

/** Opens a stream, shard by shard, after a sequence number of its one shard, or at its oldest record. */
export const openTableStream = (engine: EngineCalls, StreamArn: string, after?: string) => {
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
