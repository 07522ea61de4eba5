import { createContext, runInContext } from 'node:vm';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { ORIGIN_SECRET } from '../../../contract/http/security-headers.ts';
import { fullStack } from '../gate/full.ts';
import {
  ADDRESSES,
  actionsOf,
  addressed,
  attribute,
  type Json,
  joined,
  LONG_STAGE,
  OPERATIONS,
  synthesize,
} from '../stack.ts';

const stack = synthesize();

const BUCKET = 'AdminSiteFiles';

describe('the bucket', () => {
  test('is deleted with the stack, and is no website', () => {
    expect(stack.resource(BUCKET).DeletionPolicy).toBe('Delete');
    expect(stack.resource(BUCKET).Properties).not.toHaveProperty('WebsiteConfiguration');
  });

  test('can be read only by the distribution', () => {
    const policy = stack.all('AWS::S3::BucketPolicy').find(({ Bucket }) => Bucket.Ref === BUCKET);
    const { logicalId: id } = stack.only('AWS::CloudFront::Distribution');
    const readers = policy?.PolicyDocument.Statement.filter(({ Action }: Json) => Action === 's3:GetObject');
    expect(readers).toHaveLength(1);
    expect(readers[0].Principal).toEqual({ Service: 'cloudfront.amazonaws.com' });
    expect(JSON.stringify(readers[0].Condition)).toContain(`:distribution/",{"Ref":"${id}"}`);
  });
});

describe('the distribution', () => {
  const config = stack.only('AWS::CloudFront::Distribution').Properties.DistributionConfig;
  const { DefaultCacheBehavior: pages, CacheBehaviors: others } = config;
  const [assets, api] = others;
  const originOf = (behavior: Json) => config.Origins.find(({ Id }: Json) => Id === behavior.TargetOriginId);

  // Managed policies: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
  const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
  const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
  const ALL_VIEWER_EXCEPT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

  test('signs its requests to the bucket', () => {
    const { logicalId: id, Properties } = stack.only('AWS::CloudFront::OriginAccessControl');
    expect(originOf(pages)).toMatchObject({
      DomainName: attribute(BUCKET, 'RegionalDomainName'),
      OriginAccessControlId: attribute(id, 'Id'),
    });
    expect(Properties.OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
    });
    expect(originOf(assets)).toBe(originOf(pages));
  });

  test('caches hashed files only', () => {
    expect(others.map(({ PathPattern }: Json) => PathPattern)).toEqual(['assets/*', 'api/admin/*']);
    expect(assets.CachePolicyId).toBe(CACHING_OPTIMIZED);
    expect(pages.CachePolicyId).toBe(CACHING_DISABLED);
    expect(api.CachePolicyId).toBe(CACHING_DISABLED);
  });

  test('forwards admin API calls unchanged except for the host, over TLS', () => {
    expect(api).toMatchObject({
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    });
    const { logicalId: id } = stack.only('AWS::ApiGatewayV2::Api');
    expect(originOf(api)).toMatchObject({
      DomainName: { 'Fn::Select': [2, { 'Fn::Split': ['/', attribute(id, 'ApiEndpoint')] }] },
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
    });
  });

  test('serves the page for screens only: API errors stay unchanged', () => {
    expect(pages.FunctionAssociations.map(({ EventType }: Json) => EventType)).toEqual(['viewer-request']);
    for (const behavior of others) expect(behavior).not.toHaveProperty('FunctionAssociations');
    for (const errors of config.CustomErrorResponses) expect(errors).not.toHaveProperty('ResponsePagePath');
  });

  // By default CloudFront caches errors for ten seconds, regardless of the cache policy:
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  test('caches no errors: the next request is sent to the origin again', () => {
    expect(config.CustomErrorResponses).toEqual(
      [404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  test('redirects to HTTPS and adds the site headers to every reply', () => {
    const { logicalId: id } = stack.only('AWS::CloudFront::ResponseHeadersPolicy');
    for (const behavior of [pages, ...others]) {
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'redirect-to-https',
        ResponseHeadersPolicyId: { Ref: id },
      });
    }
  });
});

test.each([
  ['/', '/index.html'],
  ['/signed-in', '/index.html'],
  ['/prompts/prm_1/versions/1.2.0', '/index.html'],
  ['/index.html', '/index.html'],
  ['/favicon.svg', '/favicon.svg'],
])('a request for %s gets %s', (uri, served) => {
  const { FunctionCode } = stack.only('AWS::CloudFront::Function').Properties;
  const sandbox = createContext({ event: { request: { uri } } });
  expect(runInContext(`${FunctionCode}; handler(event).uri`, sandbox)).toBe(served);
});

test('the address of the admin UI is an output; a custom domain has its certificate and TLS 1.2', () => {
  const { logicalId: id } = stack.only('AWS::CloudFront::Distribution');
  stack.template.hasOutput('AdminUrl', {
    Value: joined('https://', attribute(id, 'DomainName')),
  });
  const { adminDomain, adminCertificateArn, adminWebAclArn } = ADDRESSES;
  const own = addressed();
  expect(own.only('AWS::CloudFront::Distribution').Properties.DistributionConfig).toMatchObject({
    Aliases: [adminDomain],
    ViewerCertificate: { AcmCertificateArn: adminCertificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
    WebACLId: adminWebAclArn,
  });
  own.template.hasOutput('AdminUrl', { Value: `https://${adminDomain}` });
});

describe('with secrets for it, the admin API answers CloudFront only', () => {
  // Halfway through the replacement of the first secret by the second.
  const guarded = fullStack();
  const [first, second] = ['1', '2'].map((number) => {
    const ids = Object.keys(guarded.resources('AWS::SecretsManager::Secret'));
    return { Ref: ids.find((id) => id.startsWith(`AdminSiteOriginSecretsSecret${number}`)) };
  });
  const isOfOperators = (id: string): boolean =>
    ENDPOINTS.some((endpoint) => endpoint.id === id && endpoint.access.kind === 'operator');

  test('each secret has 256 bits and is made by Secrets Manager', () => {
    const generated = { GenerateSecretString: { PasswordLength: 43, ExcludePunctuation: true } };
    expect(guarded.all('AWS::SecretsManager::Secret')).toMatchObject([generated, generated]);
    expect(43 * Math.log2(26 + 26 + 10)).toBeGreaterThan(256);
  });

  test('CloudFront sends the first to the API alone, and the template does not contain it', () => {
    const { DistributionConfig } = guarded.only('AWS::CloudFront::Distribution').Properties;
    const sent = DistributionConfig.Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders);
    expect(sent).toEqual([
      {
        HeaderName: ORIGIN_SECRET,
        HeaderValue: joined('{{resolve:secretsmanager:', second, ':SecretString:::}}'),
      },
    ]);
  });

  test.each(OPERATIONS.map(({ id }) => id))('%s may read both exactly if it is for operators', (id) => {
    const { resource, environment, statements } = guarded.functionOf(id);
    const reads = statements.filter((statement) => actionsOf(statement).join().includes('secretsmanager'));
    const allowed = { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: [first, second] };
    expect(reads).toEqual(isOfOperators(id) ? [allowed] : []);
    expect(environment[ENVIRONMENT.originSecrets]).toEqual(
      isOfOperators(id) ? joined(second, ' ', first) : undefined,
    );
    // CloudFront must send the secret before the function requires it.
    const { logicalId } = guarded.only('AWS::CloudFront::Distribution');
    expect(resource.DependsOn?.includes(logicalId) ?? false).toBe(isOfOperators(id));
  });

  test('a web ACL brings the first; without one there is none', () => {
    const [id] = Object.keys(addressed().resources('AWS::SecretsManager::Secret'));
    expect(id).toMatch(/Secret1/);
    stack.template.resourceCountIs('AWS::SecretsManager::Secret', 0);
    expect(stack.functionOf('overview-get').environment).not.toHaveProperty(ENVIRONMENT.originSecrets);
  });
});

// These names must be unique in the account across regions.
test.each([
  ['AWS::CloudFront::Function', 'Name'],
  ['AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig'],
  ['AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig'],
  ['AWS::CloudWatch::Dashboard', 'DashboardName'],
])('%s is named after the stack and its region', (type, property) => {
  const [stage, owner] = type.includes('CloudWatch') ? [LONG_STAGE, addressed().monitoring] : ['prod', stack];
  const name = joined(`cuevault-${stage}-`, { Ref: 'AWS::Region' });
  const value = owner.only(type).Properties[property];
  expect(value.Name ?? value).toEqual(name);
});
