import type * as z from 'zod/mini';
import type { Endpoint, ReplyOf } from '../../contract/endpoint.ts';
import { connectTable, type Table } from '../store/table.ts';
import type { OperatorCall } from './call.ts';
import { operatorEndpoint } from './operator-endpoint.ts';
import type { HttpHandler } from './stack.ts';

/** Makes handlers of endpoints for operators whose calls have the table. */
export const endpointOn =
  (connect: () => Table) =>
  <
    Body extends z.ZodMiniType,
    Reply extends z.ZodMiniType,
    Params extends z.ZodMiniType,
    Query extends z.ZodMiniType,
  >(
    definition: Endpoint<Body, Reply, Params, Query>,
    handle: (
      call: OperatorCall<z.output<Params>, z.output<Query>, z.output<Body>> & { readonly table: Table },
    ) => Promise<ReplyOf<Reply>>,
  ): HttpHandler => {
    const table = connect();
    return operatorEndpoint(definition, (call) => handle({ ...call, table }));
  };

/** The handler of an endpoint for operators that writes no signed row; otherwise like `operatorEndpoint`. */
export const readEndpoint = endpointOn(connectTable);
