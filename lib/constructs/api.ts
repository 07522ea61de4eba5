import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import type { Operation } from './functions/operation.ts';
import { stackSuffix } from './global-name.ts';
import { newLog } from './log.ts';
import type { Operators } from './operators.ts';

// Never a header, a query or a body: these carry keys, variables and secrets.
const ACCESS_LOG = {
  time: '$context.requestTimeEpoch',
  // The id of the function's invocation, as in the reply's header and the function's log.
  requestId: '$context.integration.requestId',
  gatewayRequestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};

const PUBLIC_REASON = {
  'api-key': 'The function checks the API key because API Gateway cannot.',
  public: 'Answers every request with the same 404.',
} as const;

// For each group of another name, API Gateway adds a statement to the account's one log policy, which then overflows.
const accessLogName = (scope: Construct): string =>
  `/aws/vendedlogs/apigateway/${Stack.of(scope).stackName}-${stackSuffix(scope)}`;

const pascalCase = (segment: string): string =>
  segment.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * A logical id derived from what identifies a route in API Gateway. CloudFormation creates before it deletes: with an
 * id derived from the name of the operation, a renamed operation would conflict with its predecessor.
 */
const routeLogicalId = ({ route }: Endpoint): string => {
  if (route === undefined) return 'RouteDefault';
  const segments = route.path.split('/').map((segment) => pascalCase(segment.replace(/\{.*\}/, 'any')));
  return `Route${pascalCase(route.method.toLowerCase())}${segments.join('')}`;
};

export interface ApiProps {
  /** The throttle of each route: requests per second on average, and at once. */
  readonly throttle: Required<apigateway.ThrottleSettings>;
  /** Retention of the access log, in days. */
  readonly logDays: number;
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** Whether CloudWatch has the metrics of each route, in addition to those of the API. */
  readonly routeMetrics: boolean;
}

/** The HTTP API and its stage. */
export class Api extends Construct {
  readonly resource: apigateway.HttpApi;
  #operators: apigateway.IHttpRouteAuthorizer | undefined;

  constructor(scope: Construct, id: string, { throttle, logDays, accessLog, routeMetrics }: ApiProps) {
    super(scope, id);
    this.resource = new apigateway.HttpApi(this, 'Resource', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const stage = new apigateway.HttpStage(this, 'Stage', {
      httpApi: this.resource,
      stageName: '$default',
      autoDeploy: true,
      detailedMetricsEnabled: routeMetrics,
      // Applies to each route separately. Settings of a named route would outlive the route, and API Gateway would then
      // reject every change of the stage.
      throttle,
      ...(accessLog ? { accessLogSettings: this.#newAccessLog(logDays) } : {}),
    });
    if (accessLog) return;
    const reason =
      'Off by default, because a line for each call costs a tenth of the call. The table has an entry for each call that succeeds or is refused for its API key; what only API Gateway refuses is counted in its metrics.';
    Validations.of(stage).acknowledge(
      { id: 'AwsSolutions-APIG1', reason },
      { id: 'Serverless-APIGWAccessLogging', reason },
    );
  }

  /** Accepts access tokens of these operators for the endpoints for operators. Call it before such a route is added. */
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

  /**
   * Connects the endpoint's route to its function, or to the live version of an endpoint for applications; an endpoint
   * without a route gets the default route.
   */
  route(endpoint: Endpoint, operation: Operation): void {
    const routeKey =
      endpoint.route === undefined
        ? apigateway.HttpRouteKey.DEFAULT
        : apigateway.HttpRouteKey.with(endpoint.route.path, apigateway.HttpMethod[endpoint.route.method]);
    const called = endpoint.access.kind === 'api-key' ? (operation.live as IFunction) : operation.function;
    const route = new apigateway.HttpRoute(operation, 'Route', {
      httpApi: this.resource,
      routeKey,
      integration: new HttpLambdaIntegration('Integration', called, {
        payloadFormatVersion: apigateway.PayloadFormatVersion.VERSION_2_0,
      }),
      ...this.#authorization(endpoint),
    });
    (route.node.defaultChild as apigateway.CfnRoute).overrideLogicalId(routeLogicalId(endpoint));
    if (endpoint.access.kind !== 'operator') {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: PUBLIC_REASON[endpoint.access.kind],
      });
    }
  }

  #newAccessLog(days: number): apigateway.IAccessLogSettings {
    return {
      destination: new apigateway.LogGroupLogDestination(
        newLog(this, 'AccessLog', days, accessLogName(this)),
      ),
      format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    };
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
}
