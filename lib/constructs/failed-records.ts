import * as s3 from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

const KEPT_DAYS = 30;

/** The bucket for stream records that no consumer processed in time. A queue would get only their positions. */
export const failedRecordsBucket = (scope: Construct): s3.Bucket => {
  const bucket = new s3.Bucket(scope, 'FailedRecords', {
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    encryption: s3.BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(KEPT_DAYS) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Only Lambda writes to it, and only after a consumer has failed for a day; CloudTrail records who reads it.',
  });
  return bucket;
};
