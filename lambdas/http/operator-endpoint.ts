import type { ReplyTo } from '../../contract/documentation.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { admitOperator, operatorIdIn } from '../core/operators.ts';
import type { Change } from '../store/audit.ts';
import { findOperator } from '../store/operators/operators.ts';
import { readingAhead } from '../store/reading-ahead.ts';
import type { Key, Table } from '../store/table.ts';
import { vaultIn } from '../store/vault/vault.ts';
import { verifyAccessToken } from './access-token.ts';
import type { OperatorCall } from './call.ts';
import { parseInput } from './input.ts';
import { assertFromSite } from './origin-secret.ts';
import { type HttpHandler, httpStack } from './stack.ts';

/**
 * The handler of an endpoint for operators. The access token is verified here, although the JWT authorizer has checked
 * it too: otherwise anyone who may invoke the function could claim to be an administrator. The token says who the
 * operator is; their record, read with each call, says what they may do. Both are checked before the request. Always
 * answers with the envelope.
 * @param ahead rows that every call needs, read together with the operator's; gets the path parameters, unchecked
 */
export const operatorEndpoint = <E extends Endpoint>(
  definition: E,
  table: Table,
  handle: (call: OperatorCall<E>) => Promise<ReplyTo<E['id']>>,
  ahead: (params: Readonly<Record<string, string | undefined>>) => readonly Key[] = () => [],
): HttpHandler => {
  const { access } = definition;
  if (access.kind !== 'operator') throw new Error('This endpoint is not for operators.');
  return httpStack(async (event, { awsRequestId: requestId }) => {
    await assertFromSite(event.headers);
    const claims = await verifyAccessToken(event.headers?.authorization);
    const tableOfCall = readingAhead(table, ahead(event.pathParameters ?? {}));
    const operatorId = operatorIdIn(claims);
    const operator = admitOperator(await findOperator(tableOfCall, operatorId), access.role, claims);
    let isFirst = true;
    const recheck = async () => {
      if (!isFirst) admitOperator(await findOperator(table, operatorId), operator.group, claims);
      isFirst = false;
    };
    const at = new Date();
    const actor = { id: operatorId, name: operator.email };
    const change = { at, requestId, actor, operator, isAdmin: operator.group === 'admin', recheck };
    const input = parseInput(definition, event);
    const { environment } = { ...Object(input.query), ...Object(input.body) };
    return handle({
      ...input,
      at,
      operator,
      signedInAt: Number(claims.auth_time),
      table: tableOfCall,
      vault: vaultIn(tableOfCall, environment),
      change,
    });
  });
};

/** Makes handlers of endpoints for operators whose calls have the table. */
export const endpointOn =
  (connect: () => Table) =>
  <E extends Endpoint>(
    definition: E,
    handle: (call: OperatorCall<E>) => Promise<ReplyTo<E['id']>>,
  ): HttpHandler =>
    operatorEndpoint(definition, connect(), handle);

/** The change of a call, which may widen access if an administrator has confirmed it. */
export const confirmedChange = ({
  change,
  query,
}: {
  readonly change: Change;
  readonly query: { readonly confirm?: boolean | undefined };
}): Change => (change.isAdmin && query.confirm === true ? { ...change, mayWidenAccess: true } : change);
