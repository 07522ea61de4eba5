import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import {
  DefaultStackSynthesizer,
  Duration,
  RemovalPolicy,
  Stack,
  Token,
  Validations,
} from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import {
  CACHE_CONTROL,
  contentSecurityPolicy,
  FILE_ENDING,
  HASHED_ASSETS,
  ORIGIN_SECRET,
  SECURITY_HEADERS,
} from '../../../contract/http/security-headers.ts';
import { pageWith, type SiteConfig } from '../../../contract/sign-in.ts';
import type { StackSettings } from '../../settings.ts';
import type { Api } from '../api.ts';
import { allowed, globalName, newBucket, newLog } from '../shared.ts';

/** Pattern for S3 and CloudFront of the files whose names contain a digest of their content. */
const HASHED_FILES = `${HASHED_ASSETS.slice(1)}*`;

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
    acknowledgeCopier(hashed.handlerRole.node.scope);
  }
}

const acknowledgeCopier = (copier: IConstruct | undefined): void => {
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

// 62 ** 43 is more than 2 ** 256.
const CHARACTERS = 43;

/**
 * Secrets that CloudFront sends to the API and the functions for operators require, so that nobody gets around a web
 * ACL at the API's own address. CloudFront sends the first.
 */
export class OriginSecrets extends Construct {
  /** What CloudFront adds to its requests. CloudFormation inserts the value; the template has only a reference. */
  readonly headers: Record<string, string>;
  readonly #arns: string[];

  constructor(scope: Construct, id: string, numbers: readonly number[]) {
    super(scope, id);
    const secrets = numbers.map((number) => this.#newSecret(number));
    this.#arns = secrets.map(({ secretArn }) => secretArn);
    const values = secrets.slice(0, 1).map(({ secretValue }) => [ORIGIN_SECRET, secretValue.unsafeUnwrap()]);
    this.headers = Object.fromEntries(values);
  }

  /** Makes a function require one of them. */
  require(fn: LambdaFunction): void {
    fn.addEnvironment(ENVIRONMENT.originSecrets, this.#arns.join(' '));
    fn.addToRolePolicy(allowed('secretsmanager', ['GetSecretValue'], this.#arns));
  }

  #newSecret(number: number): Secret {
    const secret = new Secret(this, `Secret${number}`, {
      description: 'Shows the admin API that a call came through the admin site',
      generateSecretString: { passwordLength: CHARACTERS, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'CloudFront gets its value in a deployment, so a deployment replaces it; the runbook says how.',
    });
    return secret;
  }
}

const {
  'strict-transport-security': transport,
  'x-content-type-options': _always,
  'x-frame-options': frames,
  'referrer-policy': referrer,
  ...others
} = SECURITY_HEADERS;

const override = true;

/**
 * The headers of the admin site in CloudFront's form: dedicated fields if it has them, custom headers otherwise.
 * `connectTo` lists the other origins that the admin UI may call.
 */
const siteHeaders = (scope: Construct, connectTo: readonly string[]): cloudfront.ResponseHeadersPolicy =>
  new cloudfront.ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: globalName(scope),
    comment: 'Cuevault admin site',
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(connectTo), override },
      contentTypeOptions: { override },
      frameOptions: { frameOption: cloudfront.HeadersFrameOption[frames], override },
      referrerPolicy: { referrerPolicy: referrer as cloudfront.HeadersReferrerPolicy, override },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(Number(/max-age=(\d+)/.exec(transport)?.[1])),
        includeSubdomains: transport.includes('includeSubDomains'),
        override,
      },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
    },
  });

const SINGLE_PAGE = `function handler(event) {
  var request = event.request;
  if (!${FILE_ENDING}.test(request.uri)) request.uri = '/index.html';
  return request;
}`;

// CloudFront caches these for ten seconds by default, under any cache policy, and its cache key does not distinguish
// operators.
const NOT_KEPT: cloudfront.ErrorResponse[] = [404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));

export interface AdminSiteProps {
  readonly api: Api;
  /** Other origins that the admin UI may call. */
  readonly connectTo: readonly string[];
  readonly settings: Pick<StackSettings, 'adminDomain' | 'adminWebAclArn' | 'originSecrets'>;
}

/**
 * The admin UI, and the admin API behind the same domain. The endpoints for applications are not, because
 * they must see the addresses of their callers.
 */
export class AdminSite extends Construct {
  readonly files: SiteFiles;
  /** Its origin, without a trailing slash. */
  readonly url: string;
  /** All its origins: CloudFront keeps the one that it assigned. */
  readonly origins: readonly string[];
  readonly #distribution: cloudfront.Distribution;
  readonly #secrets: OriginSecrets | undefined;

  constructor(scope: Construct, id: string, { api, connectTo, settings }: AdminSiteProps) {
    super(scope, id);
    const { adminDomain: domain, adminWebAclArn: webAclId, originSecrets } = settings;
    this.files = new SiteFiles(this, 'Files');
    this.#secrets = originSecrets && new OriginSecrets(this, 'OriginSecrets', originSecrets);
    this.#distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'Cuevault admin site',
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      errorResponses: NOT_KEPT,
      ...this.#behaviors(api, siteHeaders(this, connectTo)),
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      ...(webAclId === undefined ? {} : { webAclId }),
    });
    acknowledge(this.#distribution);
    // Which must no longer call the address that a change of the API turns off.
    if (!Token.isUnresolved(api.domainName)) api.resource.node.addDependency(this.#distribution);
    const assigned = `https://${this.#distribution.distributionDomainName}`;
    this.url = domain === undefined ? assigned : `https://${domain.name}`;
    this.origins = [...new Set([this.url, assigned])];
  }

  /** Makes a function of the admin API refuse calls that did not come through the site, if there are secrets for it. */
  letVerify(fn: LambdaFunction): void {
    if (this.#secrets === undefined) return;
    this.#secrets.require(fn);
    // Which must send a secret before the function requires it.
    fn.node.addDependency(this.#distribution);
  }

  #behaviors(
    api: Api,
    responseHeadersPolicy: cloudfront.IResponseHeadersPolicy,
  ): Pick<cloudfront.DistributionProps, 'defaultBehavior' | 'additionalBehaviors'> {
    const originAccessControl = new cloudfront.S3OriginAccessControl(this, 'Access', {
      originAccessControlName: globalName(this),
    });
    const singlePage = new cloudfront.Function(this, 'SinglePage', {
      functionName: globalName(this),
      comment: 'Answers the path of a screen with the one page of the admin UI',
      code: cloudfront.FunctionCode.fromInline(SINGLE_PAGE),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
    });
    const origin = S3BucketOrigin.withOriginAccessControl(this.files.bucket, { originAccessControl });
    return {
      defaultBehavior: {
        origin,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy,
        functionAssociations: [
          { eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: singlePage },
        ],
      },
      additionalBehaviors: {
        [HASHED_FILES]: {
          origin,
          cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy,
        },
        'api/admin/*': {
          origin: new HttpOrigin(api.domainName, { customHeaders: this.#secrets?.headers ?? {} }),
          allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
          cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
          originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy,
        },
      },
    };
  }
}

const acknowledge = (distribution: cloudfront.Distribution): void => {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Operators may be in any country; sign-in authenticates them.' },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'The files are public and the admin API requires a token. A web ACL is a setting.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'The files are public. The audit log records every change and every read of a secret, with who made it.',
    },
    {
      id: 'AwsSolutions-CFR4',
      reason: 'The default domain name of CloudFront has a fixed policy. Custom domains get TLS 1.2.',
    },
  );
};
