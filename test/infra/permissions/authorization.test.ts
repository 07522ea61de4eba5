import { Template } from 'aws-cdk-lib/assertions';
import { Stack } from 'aws-cdk-lib/core';
import * as z from 'zod/mini';
import { type Access, endpoint } from '../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { DEFAULT_SETTINGS } from '../../../contract/functions/environment.ts';
import { Api } from '../../../lib/constructs/api.ts';
import { EventBus } from '../../../lib/constructs/event-bus.ts';
import { Operation } from '../../../lib/constructs/functions/operation.ts';
import { SigningKey } from '../../../lib/constructs/keys/signing-key.ts';
import { VaultKey } from '../../../lib/constructs/keys/vault-key.ts';
import { SealedLog } from '../../../lib/constructs/sealed-log.ts';
import { Table } from '../../../lib/constructs/table.ts';
import { newApp, synthesize, tinyBundles } from '../stack.ts';

const newEndpoint = (id: string, access: Access) =>
  endpoint({
    id,
    route: { method: 'GET', path: `/api/${id}` },
    access,
    reply: z.object({}),
    errors: [],
    memoryMb: 128,
    timeoutSeconds: 5,
    grants: [],
    summary: id,
    description: id,
    examples: [],
  });

const newApi = () => {
  const scope = new Stack(newApp(), 'Scope');
  const api = new Api(scope, 'Api', {
    throttle: { rateLimit: 1, burstLimit: 1 },
    ...{ logDays: 7, accessLog: false, routeMetrics: false },
  });
  const add = (id: string, access: Access): void => {
    const definition = newEndpoint(id, access);
    const operation = new Operation(scope, definition, {
      table: new Table(scope, `${id}-table`, { settings: DEFAULT_SETTINGS }),
      vaultKey: new VaultKey(scope, `${id}-key`, { stage: 'prod', vaultKeyDays: 90 }),
      signingKey: new SigningKey(scope, `${id}-signing`, { stage: 'prod', signingKeyNumber: 1 }),
      eventBus: new EventBus(scope, `${id}-bus`, { stage: 'prod' }),
      sealedLog: new SealedLog(scope, `${id}-log`, DEFAULT_SETTINGS),
      assetRoot: tinyBundles([id]),
      logDays: 7,
    });
    api.route(definition, operation);
  };
  return { scope, api, add };
};

describe('a route', () => {
  test('for operators accepts tokens of the configured issuer and client with the admin scope', () => {
    const { scope, api, add } = newApi();
    api.admit({ authority: 'https://issuer.example', clientId: 'admin-site' });
    add('things-list', { kind: 'operator', role: 'viewer' });
    const template = Template.fromStack(scope);
    const [authorizer] = Object.keys(
      template.findResources('AWS::ApiGatewayV2::Authorizer', {
        Properties: {
          AuthorizerType: 'JWT',
          IdentitySource: ['$request.header.Authorization'],
          JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['admin-site'] },
        },
      }),
    );
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: 'GET /api/things-list',
      AuthorizationType: 'JWT',
      AuthorizerId: { Ref: authorizer },
      AuthorizationScopes: ['cuevault/admin'],
    });
  });

  test('for operators cannot be created before an issuer is configured', () => {
    const { add } = newApi();
    expect(() => add('things-list', { kind: 'operator', role: 'viewer' })).toThrow(
      'No operators were admitted',
    );
  });

  test('for API keys is left to the function', () => {
    const { scope, api, add } = newApi();
    api.admit({ authority: 'https://issuer.example', clientId: 'admin-site' });
    add('things-get', { kind: 'api-key', permission: 'prompts' });
    Template.fromStack(scope).hasResourceProperties('AWS::ApiGatewayV2::Route', {
      AuthorizationType: 'NONE',
    });
  });
});

describe('the stack', () => {
  const stack = synthesize();

  test('admits the operators of its user pool, through the client of the admin site', () => {
    const [client] = Object.keys(stack.resources('AWS::Cognito::UserPoolClient'));
    const authorizers = Object.values(stack.resources('AWS::ApiGatewayV2::Authorizer'));
    const region = { Ref: 'AWS::Region' };
    const issuer = [
      'https://cognito-idp.',
      region,
      '.',
      { Ref: 'AWS::URLSuffix' },
      '/',
      { Ref: 'Operators' },
    ];
    expect(authorizers.map(({ Properties }) => Properties.JwtConfiguration)).toEqual([
      { Issuer: { 'Fn::Join': ['', issuer] }, Audience: [{ Ref: client }] },
    ]);
  });

  test('requires a token on every route for operators, and on no other', () => {
    const [authorizer] = Object.keys(stack.resources('AWS::ApiGatewayV2::Authorizer'));
    const routes = Object.values(stack.resources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationType,
      Properties.AuthorizerId,
      Properties.AuthorizationScopes,
    ]);
    expect(routes).toEqual(
      ENDPOINTS.map(({ route, access }) => {
        const key = route === undefined ? '$default' : `${route.method} ${route.path}`;
        return access.kind === 'operator'
          ? [key, 'JWT', { Ref: authorizer }, ['cuevault/admin']]
          : [key, 'NONE', undefined, undefined];
      }),
    );
  });

  test('stays well below the CloudFormation limit of 500 resources', () => {
    const { Resources } = stack.template.toJSON() as { Resources: object };
    expect(Object.keys(Resources).length).toBeLessThan(475);
  });
});
