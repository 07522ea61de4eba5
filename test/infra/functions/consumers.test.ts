import { CONSUMERS } from '../../../contract/functions/consumers.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { attribute, type Json, synthesize } from '../stack.ts';

const stack = synthesize();
const STREAM_ARN = attribute('Table', 'StreamArn');
const mappings = Object.values(stack.resources('AWS::Lambda::EventSourceMapping'));
const mappingOf = (id: string): Json =>
  mappings.find(({ Properties }) => Properties.FunctionName.Ref === stack.functionOf(id).logicalId)
    ?.Properties ?? {};

test('the stream of the table has the old and new image of each item, and nobody reads it but the consumers of the contract', () => {
  const { StreamSpecification } = stack.resource('Table').Properties;
  expect(StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  expect(mappings).toHaveLength(CONSUMERS.length);
});

describe.each(CONSUMERS)('$id', ({ id, inserts, windowSeconds, batchRecords }) => {
  test('gets all records from the oldest on, in order, and gives up a record that always fails alone', () => {
    expect(mappingOf(id)).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 50,
      // Less than the 24 hours of the stream, which saves nothing that it drops.
      MaximumRecordAgeInSeconds: 23 * 3_600,
      EventSourceArn: STREAM_ARN,
      StartingPosition: 'TRIM_HORIZON',
      ParallelizationFactor: 1,
      MaximumBatchingWindowInSeconds: windowSeconds,
      BatchSize: batchRecords,
    });
  });

  test('is invoked only for its records', () => {
    const { Filters } = mappingOf(id).FilterCriteria;
    const keysOf = (names: readonly (keyof typeof PARTITIONS)[]) => ({
      pk: {
        S: names.map((name) =>
          PARTITIONS[name].endsWith('#') ? { prefix: PARTITIONS[name] } : PARTITIONS[name],
        ),
      },
    });
    expect(Filters.map(({ Pattern }: Json) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { NewImage: keysOf(inserts) } },
    ]);
  });

  test('saves expired records unchanged in a bucket that outlives the stack', () => {
    const { OnFailure } = mappingOf(id).DestinationConfig;
    const [[logicalId = '', bucket] = []] = Object.entries(stack.resources('AWS::S3::Bucket')).filter(
      ([name]) => name.startsWith('FailedRecords'),
    );
    expect(OnFailure.Destination).toEqual(attribute(logicalId));
    expect(bucket?.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('can read the stream and write to that bucket before the stream invokes it', () => {
    const { statements } = stack.functionOf(id);
    const ofStream = statements.filter(
      ({ Resource }) => JSON.stringify(Resource) === JSON.stringify(STREAM_ARN),
    );
    expect(ofStream.map(({ Action }) => Action)).toEqual([
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    ]);
    const mapping = mappings.find(({ Properties }) => Properties === mappingOf(id));
    const policies = (mapping?.DependsOn ?? []).map((name) => stack.resource(name).Type);
    expect(policies).toContain('AWS::IAM::Policy');
  });
});
