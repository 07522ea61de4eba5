import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { ActionsOn } from '../../contract/functions/grants.ts';
import type { StackSettings } from '../settings.ts';
import { allowed, deniedToAll, isNoneOf, newBucket, roleArn } from './shared.ts';

export const SEALED_LOG = 'SealedLog';

type SealedLogProps = Pick<StackSettings, 'production' | 'auditDays'>;

const retention = (production: boolean, days: Duration): s3.ObjectLockRetention =>
  production ? s3.ObjectLockRetention.compliance(days) : s3.ObjectLockRetention.governance(days);

/**
 * The bucket with the sealed audit log. Object Lock in compliance mode: nobody, the account's root user included, can
 * delete or overwrite a version of an object before its retention ends. Others than production have the governance mode,
 * which an administrator can bypass to clean up. Only the functions that seal may add objects,
 * and only under keys that do not exist.
 */
export class SealedLog extends Construct {
  readonly #bucket: s3.Bucket;
  readonly #writers: string[] = [];

  constructor(scope: Construct, id: string, { production, auditDays }: SealedLogProps) {
    super(scope, id);
    this.#bucket = newBucket(this, 'Bucket', {
      versioned: true,
      objectLockEnabled: true,
      objectLockDefaultRetention: retention(production, Duration.days(auditDays)),
      lifecycleRules: [
        { expiration: Duration.days(auditDays + 1), noncurrentVersionExpiration: Duration.days(1) },
      ],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      unlogged:
        'Its objects form a signed chain: what is missing or changed is found without a log of accesses.',
    });
    (this.#bucket.node.defaultChild as s3.CfnBucket).overrideLogicalId(SEALED_LOG);
    this.#deny(['s3:PutObject'], isNoneOf(this.#writers));
    this.#deny(['s3:PutObject'], { Null: { 's3:if-none-match': 'true' } });
    // Replication is another way in, which names no condition. A source elsewhere needs these on this bucket.
    this.#deny(['s3:ReplicateObject', 's3:ReplicateDelete', 's3:ReplicateTags']);
    this.#deny(['s3:PutReplicationConfiguration'], {}, this.#bucket.bucketArn);
    // A delete marker would hide an object. The lifecycle of the bucket needs no permission.
    this.#deny(['s3:DeleteObject', 's3:DeleteObjectVersion']);
    // Whoever removes the stack must not be able to write to the log that it leaves behind.
    const policy = this.#bucket.policy?.node.defaultChild as s3.CfnBucketPolicy;
    policy.overrideLogicalId(`${SEALED_LOG}Policy`);
    policy.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  /** Grants a function the actions and passes it the name of the bucket. */
  grant(fn: LambdaFunction, actions: ActionsOn<'sealed-log'>): void {
    for (const action of actions) {
      const resource = action === 'ListBucket' ? this.#bucket.bucketArn : this.#bucket.arnForObjects('*');
      fn.addToRolePolicy(allowed('s3', [action], [resource]));
    }
    if (actions.includes('PutObject')) this.#writers.push(roleArn(fn));
    fn.addEnvironment(ENVIRONMENT.sealedLog, this.name);
    Validations.of(fn.role ?? fn).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${SEALED_LOG}.Arn>/*]`,
      reason: 'Each object has its own key, and the bucket holds nothing else.',
    });
  }

  #deny(
    actions: string[],
    conditions: Record<string, unknown> = {},
    resource = this.#bucket.arnForObjects('*'),
  ): void {
    this.#bucket.addToResourcePolicy(deniedToAll(actions, conditions, resource));
  }
}
