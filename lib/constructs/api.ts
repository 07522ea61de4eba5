import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnOutput, Fn, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Domain, StackSettings } from '../settings.ts';
import { newLog, stackSuffix } from './shared.ts';

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

// For each group of another name, API Gateway adds a statement to the account's one log policy, which then overflows.
const accessLogName = (scope: Construct): string =>
  `/aws/vendedlogs/apigateway/${Stack.of(scope).stackName}-${stackSuffix(scope)}`;

export class Api extends Construct {
  readonly resource: apigateway.HttpApi;
  /** It deploys every change of a route, so a first deployment creates it after all of them. */
  readonly stage: apigateway.HttpStage;

  /** Its address for applications, without a trailing slash. */
  readonly url: string;
  /** What CloudFront calls: a domain of your own may have no DNS record yet. */
  readonly domainName: string;

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    const { logDays, accessLog, apiDomain, throttleRate } = settings;
    this.resource = new apigateway.HttpApi(this, 'Resource', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const domain = apiDomain === undefined ? undefined : this.#newDomain(apiDomain);
    this.url = apiDomain === undefined ? this.resource.apiEndpoint : `https://${apiDomain.name}`;
    this.domainName = Fn.select(2, Fn.split('/', this.resource.apiEndpoint));
    this.stage = new apigateway.HttpStage(this, 'Stage', {
      httpApi: this.resource,
      stageName: '$default',
      autoDeploy: true,
      // Applies to each route separately. Settings of a named route would outlive the route, and API Gateway would then
      // reject every change of the stage.
      throttle: { rateLimit: throttleRate, burstLimit: 2 * throttleRate },
      ...(domain === undefined ? {} : { domainMapping: { domainName: domain } }),
      ...(accessLog && {
        accessLogSettings: {
          destination: new apigateway.LogGroupLogDestination(
            newLog(this, 'AccessLog', logDays, accessLogName(this)),
          ),
          format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
        },
      }),
    });
    if (accessLog) return;
    const reason =
      'Off by default, because a line for each call costs a tenth of the call. The table has an entry for each fetch, change and read of a secret, and for refused API keys; what only API Gateway refuses is counted in its metrics.';
    Validations.of(this.stage).acknowledge(
      { id: 'AwsSolutions-APIG1', reason },
      { id: 'Serverless-APIGWAccessLogging', reason },
    );
  }

  #newDomain({ name, certificateArn }: Domain): apigateway.DomainName {
    const domain = new apigateway.DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new CfnOutput(Stack.of(this), 'ApiDomainTarget', {
      value: domain.regionalDomainName,
      description: `What the DNS record of ${name} points to`,
    });
    return domain;
  }
}
