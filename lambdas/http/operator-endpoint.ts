import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import type * as z from 'zod/mini';
import { type Endpoint, nothing, type ReplyOf } from '../../contract/endpoint.ts';
import { admitOperator, type Claims } from '../core/operators.ts';
import type { Change } from '../store/audit.ts';
import { parseBody } from './body.ts';
import type { HttpEvent, OperatorCall } from './call.ts';
import { validate } from './parsing.ts';
import { type HttpHandler, httpStack } from './stack.ts';

// Without an authorizer in front of the function, nobody is admitted.
const claimsOf = (event: HttpEvent): Claims =>
  (event as Partial<APIGatewayProxyEventV2WithJWTAuthorizer>).requestContext?.authorizer?.jwt?.claims ?? {};

/**
 * The handler of an endpoint for operators, whose access token the JWT authorizer has checked. The operator is checked
 * before the request. Always answers with the envelope.
 */
export const operatorEndpoint = <
  Body extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
>(
  definition: Endpoint<Body, Reply, Params, Query>,
  handle: (call: OperatorCall<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<ReplyOf<Reply>>,
): HttpHandler => {
  const { access, params, query, body } = definition;
  if (access.kind !== 'operator') throw new Error('This endpoint is not for operators.');
  const takesNoBody = (body as z.ZodMiniType) === nothing;
  return httpStack(async (event, { awsRequestId: requestId }) => {
    const operator = admitOperator(claimsOf(event), access.role);
    const at = new Date();
    return handle({
      params: validate(params, event.pathParameters ?? {}),
      query: validate(query, event.queryStringParameters ?? {}),
      body: takesNoBody && (event.body ?? '') === '' ? validate(body, {}) : parseBody(definition, event),
      at,
      change: { at, requestId, ...operator },
    });
  });
};

/** The change of a call, which may widen access if an administrator has confirmed it. */
export const confirmedChange = ({
  change,
  query,
}: {
  readonly change: Change;
  readonly query: { readonly confirm?: boolean | undefined };
}): Change => ({ ...change, mayWidenAccess: change.isAdmin && query.confirm === true });
