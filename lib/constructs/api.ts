import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import type { Operation } from './operation.ts';
import type { Operators } from './operators.ts';

// Never a header, a query or a body: that is where keys, variables and secrets travel.
const ACCESS_LOG = {
  time: '$context.requestTimeEpoch',
  // That of the function's invocation: the reply's header and the function's log bear the same one.
  requestId: '$context.integration.requestId',
  gatewayRequestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};

// What no other route takes is mostly noise, and must not use up what the functions may do at once.
const DEFAULT_ROUTE_THROTTLE: apigateway.ThrottleSettings = { rateLimit: 20, burstLimit: 40 };

const PUBLIC_REASON = {
  'api-key': 'The function checks the API key, which API Gateway cannot.',
  public: 'Answers every request with the same 404.',
} as const;

export interface ApiProps {
  /** What each route takes, on average in a second and at once. */
  readonly throttle: Required<apigateway.ThrottleSettings>;
  /** Days that the access log is kept. */
  readonly logDays: number;
}

/** The HTTP API, its one stage and its access log. */
export class Api extends Construct {
  readonly resource: apigateway.HttpApi;
  readonly #throttle: Required<apigateway.ThrottleSettings>;
  readonly #stage: apigateway.CfnStage;
  #operators: apigateway.IHttpRouteAuthorizer | undefined;

  constructor(scope: Construct, id: string, { throttle, logDays }: ApiProps) {
    super(scope, id);
    this.#throttle = throttle;
    this.resource = new apigateway.HttpApi(this, 'Resource', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const stage = new apigateway.HttpStage(this, 'Stage', {
      httpApi: this.resource,
      stageName: '$default',
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle,
      accessLogSettings: {
        destination: new apigateway.LogGroupLogDestination(
          new LogGroup(this, 'AccessLog', { retention: logDays }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.#stage = stage.node.defaultChild as apigateway.CfnStage;
  }

  /** Takes access tokens of these operators where an endpoint is for operators. To be called before such a route. */
  admit({ authority, clientId }: Pick<Operators, 'authority' | 'clientId'>): void {
    const { authorizerId } = new apigateway.HttpAuthorizer(this, 'Operators', {
      httpApi: this.resource,
      type: apigateway.HttpAuthorizerType.JWT,
      identitySource: ['$request.header.Authorization'],
      jwtIssuer: authority,
      jwtAudience: [clientId],
    });
    this.#operators = { bind: () => ({ authorizerId, authorizationType: 'JWT' }) };
  }

  /** Leads the endpoint's route to its function; an endpoint without one takes whatever the others leave. */
  route(endpoint: Endpoint, operation: Operation): void {
    const routeKey =
      endpoint.route === undefined
        ? apigateway.HttpRouteKey.DEFAULT
        : apigateway.HttpRouteKey.with(endpoint.route.path, apigateway.HttpMethod[endpoint.route.method]);
    const route = new apigateway.HttpRoute(operation, 'Route', {
      httpApi: this.resource,
      routeKey,
      integration: new HttpLambdaIntegration('Integration', operation.function, {
        payloadFormatVersion: apigateway.PayloadFormatVersion.VERSION_2_0,
      }),
      ...this.#authorization(endpoint),
    });
    if (endpoint.access.kind !== 'operator') {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: PUBLIC_REASON[endpoint.access.kind],
      });
    }
    this.#throttleRoute(routeKey.key, endpoint.route === undefined ? DEFAULT_ROUTE_THROTTLE : this.#throttle);
    this.#stage.node.addDependency(route);
  }

  #authorization({
    id,
    access,
  }: Endpoint): Pick<apigateway.HttpRouteProps, 'authorizer' | 'authorizationScopes'> {
    if (access.kind !== 'operator') return {};
    if (this.#operators === undefined)
      throw new Error(`No operators were admitted before the route of ${id}.`);
    return { authorizer: this.#operators, authorizationScopes: [ADMIN_SCOPE] };
  }

  #throttleRoute(routeKey: string, { rateLimit, burstLimit }: apigateway.ThrottleSettings): void {
    // Free-form JSON to CDK, so the names are CloudFormation's. What a route says replaces all that the stage says.
    this.#stage.routeSettings = {
      ...this.#stage.routeSettings,
      [routeKey]: {
        DetailedMetricsEnabled: true,
        ThrottlingRateLimit: rateLimit,
        ThrottlingBurstLimit: burstLimit,
      },
    };
  }
}
