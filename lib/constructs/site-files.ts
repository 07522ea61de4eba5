import * as s3 from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { CACHE_CONTROL, HASHED_ASSETS } from '../../contract/security-headers.ts';
import type { SiteConfig } from '../../contract/sign-in.ts';
import { newLog } from './log.ts';

/** The files whose name holds a digest of their content, as patterns of S3 and CloudFront name them. */
export const HASHED_FILES = `${HASHED_ASSETS.slice(1)}*`;

const LOGICAL_ID = 'AdminSiteFiles';

export interface SiteContent {
  /** Folder with the built admin UI. */
  readonly root: string;
  readonly config: SiteConfig;
  /** Days that the log of what copies the files is kept. */
  readonly logDays: number;
}

/** The files of the admin site, in a bucket that nobody but CloudFront reads. */
export class SiteFiles extends Construct {
  readonly bucket: s3.IBucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = new s3.Bucket(this, 'Bucket', {
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      encryption: s3.BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // A deployment makes all that is in it anew: it goes with the stack.
      autoDeleteObjects: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    (bucket.node.defaultChild as s3.CfnBucket).overrideLogicalId(LOGICAL_ID);
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'CloudFront alone reads it, and it holds nothing but the published files of the admin UI.',
    });
    // CDK's own types do not agree with each other under exactOptionalPropertyTypes.
    this.bucket = bucket as s3.IBucket;
  }

  /** Copies the built admin UI, with its configuration beside it. */
  publish({ root, config, logDays }: SiteContent): void {
    const shared = {
      destinationBucket: this.bucket,
      logGroup: newLog(this, 'Log', logDays),
      // A page that is open during a deployment goes on loading the parts that it was built with.
      prune: false,
    };
    const built = Source.asset(root);
    const hashed = new BucketDeployment(this, 'Hashed', {
      ...shared,
      sources: [built],
      exclude: ['*'],
      include: [HASHED_FILES],
      cacheControl: [CacheControl.fromString(CACHE_CONTROL.hashed)],
    });
    const others = new BucketDeployment(this, 'Others', {
      ...shared,
      sources: [built, Source.jsonData('config.json', config)],
      exclude: [HASHED_FILES],
      cacheControl: [CacheControl.fromString(CACHE_CONTROL.other)],
    });
    // The page comes after the files that it names.
    others.node.addDependency(hashed);
    acknowledge(hashed.handlerRole.node.scope);
  }
}

const acknowledge = (copier: IConstruct | undefined): void => {
  if (copier === undefined) throw new Error('What copies the files of the admin site was not found.');
  const reason = 'CDK brings the function that copies the files; it runs during deployments alone.';
  const objects = [
    'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
    `<${LOGICAL_ID}.Arn>/*`,
  ];
  const actions = ['Abort*', 'DeleteObject*', 'GetBucket*', 'GetObject*', 'List*'];
  const ids = [
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    ...objects.map((resource) => `AwsSolutions-IAM5[Resource::${resource}]`),
    ...actions.map((action) => `AwsSolutions-IAM5[Action::s3:${action}]`),
    'AwsSolutions-L1',
    'Serverless-LambdaDLQ',
    'Serverless-LambdaLatestVersion',
    'Serverless-LambdaTracing',
  ];
  Validations.of(copier).acknowledge(...ids.map((id) => ({ id, reason })));
};
