import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { DefaultStackSynthesizer, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { CACHE_CONTROL, HASHED_ASSETS } from '../../../contract/http/security-headers.ts';
import { pageWith, type SiteConfig } from '../../../contract/sign-in.ts';
import { newBucket, newLog } from '../shared.ts';

/** Pattern for S3 and CloudFront of the files whose names contain a digest of their content. */
export const HASHED_FILES = `${HASHED_ASSETS.slice(1)}*`;

const PAGE = 'index.html';

const LOGICAL_ID = 'AdminSiteFiles';

export interface SiteContent {
  readonly root: string;
  readonly config: SiteConfig;
  /** Retention of the log of the function that copies the files, in days. */
  readonly logDays: number;
}

/** The files of the admin site, in a bucket that only CloudFront reads. */
export class SiteFiles extends Construct {
  readonly bucket: s3.IBucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = newBucket(this, 'Bucket', {
      // A deployment recreates its content, so it is deleted with the stack.
      autoDeleteObjects: true,
      removalPolicy: RemovalPolicy.DESTROY,
      unlogged: 'Only CloudFront reads it, and it contains only the published files of the admin UI.',
    });
    (bucket.node.defaultChild as s3.CfnBucket).overrideLogicalId(LOGICAL_ID);
    // CDK's own types contradict each other under exactOptionalPropertyTypes.
    this.bucket = bucket as s3.IBucket;
  }

  publish({ root, config, logDays }: SiteContent): void {
    const shared = {
      destinationBucket: this.bucket,
      logGroup: newLog(this, 'Log', logDays),
      // A page that is open during a deployment continues to load the files that it was built with.
      prune: false,
    };
    // The build's manifest is for tests.
    const built = Source.asset(root, { exclude: ['.vite', PAGE] });
    const page = pageWith(readFileSync(path.join(root, PAGE), 'utf8'), config);
    const hashed = new BucketDeployment(this, 'Hashed', {
      ...shared,
      sources: [built],
      exclude: ['*'],
      include: [HASHED_FILES],
      cacheControl: [CacheControl.fromString(CACHE_CONTROL.hashed)],
    });
    const others = new BucketDeployment(this, 'Others', {
      ...shared,
      sources: [built, Source.data(PAGE, page, { jsonEscape: true })],
      exclude: [HASHED_FILES],
      cacheControl: [CacheControl.fromString(CACHE_CONTROL.other)],
    });
    // The page is copied after the files that it references.
    others.node.addDependency(hashed);
    acknowledge(hashed.handlerRole.node.scope);
  }
}

const acknowledge = (copier: IConstruct | undefined): void => {
  if (copier === undefined)
    throw new Error('The function that copies the files of the admin site was not found.');
  const reason = 'CDK provides the function that copies the files; it runs only during deployments.';
  const { partition, account, region, synthesizer } = Stack.of(copier);
  const { bootstrapQualifier = DefaultStackSynthesizer.DEFAULT_QUALIFIER } = synthesizer;
  const named = (value: string, name: string): string =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const assets = `cdk-${bootstrapQualifier}-assets-${named(account, 'AccountId')}-${named(region, 'Region')}`;
  const objects = [`arn:${named(partition, 'Partition')}:s3:::${assets}/*`, `<${LOGICAL_ID}.Arn>/*`];
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
