import { CfnAuthorizer, CfnIntegration, CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type CfnElement, NestedStack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type Endpoint, isRead } from '../../contract/endpoint.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import type { Api } from './api.ts';
import type { Operation } from './functions/operation.ts';
import type { Operators } from './operators.ts';
import { allowed } from './shared.ts';

/** Routes that are created at once: API Gateway accepts about ten changes a second, and answers more with 429. */
const AT_ONCE = 5;

const PUBLIC_REASON = {
  'api-key': 'The function checks the API key because API Gateway cannot.',
  public: 'Answers every request with the same 404.',
} as const;

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

export interface RoutesProps {
  readonly api: Api;
  /** Who may use the endpoints for operators. */
  readonly operators: Pick<Operators, 'authority' | 'clientId' | 'companyClientId'>;
}

/**
 * The routes of the API, in a nested stack: two resources for each endpoint, which would count against the 500 of the
 * stack. The OpenAPI body of the API cannot define them. It would refer to the client of the admin site, which refers to
 * the address of the distribution, which refers to the API.
 */
export class Routes extends NestedStack {
  readonly #api: Api;
  readonly #authorizer: CfnAuthorizer;
  /**
   * API Gateway invokes the functions with them: one for what operators change, as the policies of a role may not name all. A
   * permission for each function would be one more resource each.
   */
  readonly #invokers: Readonly<Record<'any' | 'changes', iam.Role>>;
  readonly #added: CfnRoute[] = [];

  constructor(scope: Construct, id: string, { api, operators }: RoutesProps) {
    super(scope, id, { description: 'The routes of the API' });
    // With another id, CloudFormation would create every route again before it deletes the old ones.
    (this.nestedStackResource as CfnElement).overrideLogicalId('Routes');
    this.#api = api;
    this.#authorizer = new CfnAuthorizer(this, 'Authorizer', {
      apiId: api.resource.apiId,
      name: 'Operators',
      authorizerType: 'JWT',
      identitySource: ['$request.header.Authorization'],
      jwtConfiguration: {
        issuer: operators.authority,
        audience: [operators.clientId, ...(operators.companyClientId ? [operators.companyClientId] : [])],
      },
    });
    const invoker = (id: string) =>
      new iam.Role(scope, id, {
        description: 'API Gateway invokes the functions of the endpoints',
        // Without a condition on the account: API Gateway does not name it when it assumes this role, so every call would be
        // denied. Another account cannot pass the role to API Gateway.
        assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      });
    this.#invokers = { any: invoker('Invoker'), changes: invoker('InvokerOfChanges') };
    // Otherwise the first calls could be refused.
    this.node.addDependency(this.#invokers.any, this.#invokers.changes);
  }

  /**
   * Connects the endpoint's route to its function, or to the live version of an endpoint for applications; an endpoint
   * without a route gets the default route.
   */
  add(endpoint: Endpoint, operation: Operation): void {
    const { id, access, route: at } = endpoint;
    const { functionArn } = isRead(endpoint) ? operation.live : operation.function;
    const isChange = access.kind === 'operator' && at?.method !== 'GET';
    const invoker = this.#invokers[isChange ? 'changes' : 'any'];
    invoker.addToPolicy(allowed('lambda', ['InvokeFunction'], [functionArn]));
    const integration = new CfnIntegration(this, `${id}-integration`, {
      apiId: this.#api.resource.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: functionArn,
      credentialsArn: invoker.roleArn,
      payloadFormatVersion: '2.0',
    });
    const route = new CfnRoute(this, id, {
      apiId: this.#api.resource.apiId,
      routeKey: at === undefined ? '$default' : `${at.method} ${at.path}`,
      target: `integrations/${integration.ref}`,
      ...(access.kind === 'operator'
        ? { authorizationType: 'JWT', authorizerId: this.#authorizer.ref, authorizationScopes: [ADMIN_SCOPE] }
        : { authorizationType: 'NONE' }),
    });
    route.overrideLogicalId(routeLogicalId(endpoint));
    const before = this.#added.at(-AT_ONCE);
    if (this.#added.length >= AT_ONCE && before !== undefined) integration.addResourceDependency(before);
    this.#added.push(route);
    if (access.kind !== 'operator')
      Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: PUBLIC_REASON[access.kind] });
  }
}
