import type { ReplyTo } from '../../contract/documentation.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { admitOperator } from '../core/operators.ts';
import type { Change } from '../store/audit.ts';
import type { Table } from '../store/table.ts';
import { verifyAccessToken } from './access-token.ts';
import type { OperatorCall } from './call.ts';
import { parseInput } from './input.ts';
import { assertFromSite } from './origin-secret.ts';
import { type HttpHandler, httpStack } from './stack.ts';

/**
 * The handler of an endpoint for operators. The access token is verified here, although the JWT authorizer has checked
 * it too: otherwise anyone who may invoke the function could claim to be an administrator. The operator is checked before
 * the request. Always answers with the envelope.
 */
export const operatorEndpoint = <E extends Endpoint>(
  definition: E,
  handle: (call: OperatorCall<E>) => Promise<ReplyTo<E['id']>>,
): HttpHandler => {
  const { access } = definition;
  if (access.kind !== 'operator') throw new Error('This endpoint is not for operators.');
  return httpStack(async (event, { awsRequestId: requestId }) => {
    await assertFromSite(event.headers);
    const operator = admitOperator(await verifyAccessToken(event.headers?.authorization), access.role);
    const at = new Date();
    return handle({
      ...parseInput(definition, event),
      at,
      change: { at, requestId, ...operator },
    });
  });
};

/** Makes handlers of endpoints for operators whose calls have the table. */
export const endpointOn =
  (connect: () => Table) =>
  <E extends Endpoint>(
    definition: E,
    handle: (call: OperatorCall<E> & { readonly table: Table }) => Promise<ReplyTo<E['id']>>,
  ): HttpHandler => {
    const table = connect();
    return operatorEndpoint(definition, (call) => handle({ ...call, table }));
  };

/** The change of a call, which may widen access if an administrator has confirmed it. */
export const confirmedChange = ({
  change,
  query,
}: {
  readonly change: Change;
  readonly query: { readonly confirm?: boolean | undefined };
}): Change => ({ ...change, mayWidenAccess: change.isAdmin && query.confirm === true });
