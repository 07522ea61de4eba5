import { isRead } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { FIRST_OPERATORS } from '../../local/identity/operators.ts';
import { IDENTITY_PATH, LINK_PATH } from '../../local/identity/paths.ts';
import { ADDRESSES, addressed, attribute, invokerPolicies, otherwise, varied } from './stack.ts';

const stack = varied();

const routeKey = ({ route }: (typeof ENDPOINTS)[number]): string =>
  route === undefined ? '$default' : `${route.method} ${route.path}`;

const stageOf = (synthesized: typeof stack) => synthesized.only('AWS::ApiGatewayV2::Stage').Properties;
const stage = stageOf(stack);
const logging = otherwise();

const called = (endpoint: (typeof ENDPOINTS)[number]) =>
  isRead(endpoint) ? { Ref: stack.aliasOf(endpoint.id).logicalId } : stack.arnOf(endpoint.id);

test('the routes are those of the contract, each with its own function or, for applications, its live version; those for operators, and no other, require a token with the admin scope', () => {
  const { logicalId: authorizer } = stack.routes.only('AWS::ApiGatewayV2::Authorizer');
  const routes = stack.routes.all('AWS::ApiGatewayV2::Route').map((route) => {
    const { Target, RouteKey, AuthorizationType, AuthorizerId, AuthorizationScopes } = route;
    const integration = stack.routes.resource(Target['Fn::Join'][1][1].Ref).Properties;
    return [
      ...[RouteKey, stack.passed(integration.IntegrationUri), integration.PayloadFormatVersion],
      ...[AuthorizationType, AuthorizerId, AuthorizationScopes],
    ];
  });
  const allowed = {
    operator: ['JWT', { Ref: authorizer }, ['cuevault/admin']],
    other: ['NONE', undefined, undefined],
  };
  expect(routes).toEqual(
    ENDPOINTS.map((endpoint) => [
      ...[routeKey(endpoint), called(endpoint), '2.0'],
      ...(endpoint.access.kind === 'operator' ? allowed.operator : allowed.other),
    ]),
  );
});

test('API Gateway may invoke the functions of the routes, and nothing else', () => {
  const allowed = new Map<string, string[]>();
  for (const { Roles, PolicyDocument } of invokerPolicies(stack)) {
    const [{ Ref: role }] = Roles;
    expect(stack.resource(role).Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [{ Principal: { Service: 'apigateway.amazonaws.com' } }],
    });
    const [{ Action, Resource }, ...more] = PolicyDocument.Statement;
    expect([Action, more]).toEqual(['lambda:InvokeFunction', []]);
    allowed.set(
      role,
      Resource.map((each: unknown) => JSON.stringify(each)),
    );
  }
  const called = stack.routes
    .all('AWS::ApiGatewayV2::Integration')
    .map(({ CredentialsArn, IntegrationUri }) => {
      const target = JSON.stringify(stack.passed(IntegrationUri));
      expect(allowed.get(stack.passed(CredentialsArn)['Fn::GetAtt'][0])).toContain(target);
      return target;
    });
  expect([...allowed.values()].flat().sort()).toEqual(called.sort());
});

test('with a domain, the API has both addresses, and CloudFront calls the one that needs no DNS record', () => {
  const { apiDomain: name, apiCertificateArn } = ADDRESSES;
  const own = addressed();
  expect(own.only('AWS::ApiGatewayV2::Api').Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
  const domain = own.only('AWS::ApiGatewayV2::DomainName');
  expect(domain.Properties).toMatchObject({
    DomainName: name,
    DomainNameConfigurations: [{ CertificateArn: apiCertificateArn, EndpointType: 'REGIONAL' }],
  });
  expect(own.only('AWS::ApiGatewayV2::ApiMapping').Properties).toMatchObject({
    DomainName: { Ref: domain.logicalId },
    Stage: '$default',
  });
  own.template.hasOutput('ApiUrl', { Value: `https://${name}` });
  own.template.hasOutput('ApiDomainTarget', {});
  expect(JSON.stringify(own.only('AWS::CloudFront::Distribution'))).not.toContain(name);
});

test('a first deployment creates at most five routes at once, and the stage that deploys them after all', () => {
  const { DependsOn } = stack.only('AWS::ApiGatewayV2::Stage');
  expect(DependsOn).toContain('Routes');
  const integrations = Object.values(stack.routes.resources('AWS::ApiGatewayV2::Integration'));
  const waiting = integrations.filter((each) => each.DependsOn?.length === 1);
  expect(integrations.length - waiting.length).toBe(5);
  expect(new Set(waiting.map((each) => each.DependsOn?.[0])).size).toBe(waiting.length);
});

test('there is no CORS; every route is throttled as the settings say, and the stage names no route that could be removed', () => {
  const api = stack.only('AWS::ApiGatewayV2::Api');
  expect(api.Properties).toMatchObject({ Name: 'cuevault-prod' });
  expect(api.Properties).not.toHaveProperty('CorsConfiguration');
  stack.template.hasOutput('ApiUrl', { Value: attribute(api.logicalId, 'ApiEndpoint') });
  expect(stage.DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 });
  expect(stage).not.toHaveProperty('RouteSettings');
});

test('without settings, no request is logged', () => {
  expect(stage).not.toHaveProperty('AccessLogSettings');
});

test('the name of the access log needs no further statement in the log policy of the account', () => {
  const { DestinationArn } = stageOf(logging).AccessLogSettings;
  const { LogGroupName } = logging.resource(DestinationArn['Fn::GetAtt'][0]).Properties;
  expect(JSON.stringify(LogGroupName)).toMatch(
    /^\{"Fn::Join":\["",\["\/aws\/vendedlogs\/apigateway\/cuevault-dev-"/,
  );
  // A log group outlives its stack: the next stack of the same name must not collide with it.
  expect(JSON.stringify(LogGroupName)).toContain('AWS::StackId');
});

test('the access log is JSON, identifies requests, and contains no header, query, path or body', () => {
  const { Format } = stageOf(logging).AccessLogSettings;
  const fields: Record<string, string> = JSON.parse(Format);
  expect(fields.requestId).toBe('$context.integration.requestId');
  expect(Object.keys(fields).sort()).toEqual([
    'gatewayRequestId',
    'integrationError',
    'integrationLatencyMs',
    'ip',
    'latencyMs',
    'requestId',
    'route',
    'status',
    'time',
  ]);
  expect(Format).not.toMatch(/header|authoriz|query|body|path|authorizer/i);
});

test('the link that signs in on a laptop leads nowhere on AWS: there is no route for it, and nobody is offered', () => {
  const keys = stack.routes.all('AWS::ApiGatewayV2::Route').map(({ RouteKey }) => String(RouteKey));
  expect(keys).toContain('POST /api/vault/get-secrets');
  expect(keys.filter((key) => key.includes(LINK_PATH) || key.includes(IDENTITY_PATH))).toEqual([]);
  const text = JSON.stringify(stack.template.toJSON());
  expect(FIRST_OPERATORS.filter((address) => text.includes(address))).toEqual([]);
});
