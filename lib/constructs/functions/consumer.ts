import * as iam from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type Consumer as ConsumerDefinition, patternOf } from '../../../contract/functions/consumers.ts';
import { allowed, newBucket } from '../shared.ts';
import { Operation, type OperationProps } from './operation.ts';

export interface ConsumerProps extends OperationProps {
  /** Receives the records that failed in every attempt, or were not processed in time. */
  readonly failedRecords: Bucket;
}

// A record that always fails holds up its shard until it is given up; an outage must be shorter, or records must be
// replayed. Lambda waits longer after each attempt.
const RETRIES = 50;

// The stream keeps records for 24 hours, and what it drops reaches no bucket.
const MOST_AGE = Duration.hours(23);

/** An operation that the table's stream invokes. Records that fail again and again are saved in a bucket. */
export class Consumer extends Operation {
  /** Identifies the mapping between the stream and the function. */
  readonly mappingId: string;

  constructor(scope: Construct, definition: ConsumerDefinition, props: ConsumerProps) {
    super(scope, definition, props);
    const { table, failedRecords } = props;
    const mapping = new EventSourceMapping(this, 'Stream', {
      target: this.function,
      eventSourceArn: table.streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: definition.batchRecords,
      maxBatchingWindow: Duration.seconds(definition.windowSeconds),
      filters: [{ pattern: JSON.stringify(patternOf(definition)) }],
      // Otherwise one record that always fails holds up the records that arrive with it.
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: RETRIES,
      maxRecordAge: MOST_AGE,
      // More would process the records of one partition out of order.
      parallelizationFactor: 1,
      onFailure: { bind: () => ({ destination: failedRecords.bucketArn }) },
    });
    this.mappingId = mapping.eventSourceMappingId;
    const granted = this.#readStream(table.streamArn, failedRecords);
    mapping.node.addDependency(granted);
  }

  /** What Lambda does with the function's role before it invokes the function. */
  #readStream(streamArn: string, failedRecords: Bucket): iam.Policy {
    const policy = new iam.Policy(this, 'StreamPolicy', {
      statements: [
        allowed('dynamodb', ['DescribeStream', 'GetRecords', 'GetShardIterator'], [streamArn]),
        // This action supports no resource.
        allowed('dynamodb', ['ListStreams'], ['*']),
        allowed('s3', ['PutObject'], [failedRecords.arnForObjects('aws/lambda/*')]),
        allowed('s3', ['ListBucket'], [failedRecords.bucketArn]),
      ],
    });
    if (this.function.role !== undefined) policy.attachToRole(this.function.role);
    const bucketId = Stack.of(failedRecords).getLogicalId(failedRecords.node.defaultChild as CfnElement);
    Validations.of(policy).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'ListStreams supports no resource.' },
      {
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/aws/lambda/*]`,
        reason: 'Lambda names each object after the mapping, the shard and the time.',
      },
    );
    return policy;
  }
}

const KEPT_DAYS = 30;

/** The bucket for stream records that no consumer processed in time. A queue would get only their positions. */
export const failedRecordsBucket = (scope: Construct): Bucket =>
  newBucket(scope, 'FailedRecords', {
    lifecycleRules: [{ expiration: Duration.days(KEPT_DAYS) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    unlogged:
      'Only Lambda writes to it, and only after a consumer has failed for a day; CloudTrail records who reads it.',
  });
