import type * as z from 'zod/mini';
import type { Permission, Role } from './fields/access.ts';
import { strictFields } from './fields/fields.ts';
import type { StackFunction } from './functions/grants.ts';
import type { ErrorCode } from './http/errors.ts';
import { LIMITS } from './limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anyone, applications whose API key has the permission or one of several, or operators with at least the
 * role. `publishing` endpoints are for jobs that publish prompts: no running application depends on them, so they are
 * neither deployed gradually nor watched by alarms of their own.
 */
export type Access =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'api-key';
      readonly permission: Permission | readonly Permission[];
      readonly publishing?: true;
    }
  | { readonly kind: 'operator'; readonly role: Role };

/** Whether running applications depend on an endpoint. */
export const isRead = ({ access }: Pick<Endpoint, 'access'>): boolean =>
  access.kind === 'api-key' && access.publishing !== true;

export const nothing = strictFields({});
export type Nothing = typeof nothing;

/**
 * One operation, as data. Routes, functions, grants, OpenAPI and types derive from it. Its reply is in `documentation/`.
 */
export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Id extends string = string,
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
> extends StackFunction {
  /** Operation id; also the name of the file under `lambdas/endpoints`, the construct and the client method. */
  readonly id: Id;
  /** Absent for the default route, which answers requests that match no other. A path may contain `{parameters}`; the last may be `{greedy+}`. */
  readonly route?: { readonly method: Method; readonly path: string };
  readonly access: Access;
  /** How it takes API keys and forms its replies: like all others, or as Langfuse's clients expect. */
  readonly form: 'envelope' | 'langfuse';
  /** The decoded path parameters. */
  readonly params: Params;
  /** The decoded query. Its values are strings; the schema converts them. */
  readonly query: Query;
  readonly body: Body;
  /** Largest body, in bytes. */
  readonly bodyBytes: number;
  /** Whether a `null` field of the body counts as absent or is validated like any other value. */
  readonly nullFields: 'absent' | 'refused';
  /** Whether a number of more digits than a 64-bit float holds stays as it is written (`JSON.rawJSON`). Others are rounded. */
  readonly exactNumbers?: true;
  readonly errors: readonly ErrorCode[];
  /** Whether its function reads single rows that it needs at the same moment in one call. */
  readonly batched?: true;
}

/** What an endpoint may return: its reply, with readonly arrays allowed. */
export type ReplyOf<Reply extends z.ZodMiniType> = Frozen<z.output<Reply>>;

/** What an endpoint receives: a body, a query or path parameters, with readonly arrays. */
export type InputOf<Input extends z.ZodMiniType> = Frozen<z.output<Input>>;

type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T;

/**
 * Checks the type of a definition and keeps its exact schema types. An endpoint takes no input that its definition
 * omits, and has the memory and the time of one that reads or writes a few rows.
 */
export const endpoint = <
  const Id extends string,
  Body extends z.ZodMiniType = Nothing,
  Params extends z.ZodMiniType = Nothing,
  Query extends z.ZodMiniType = Nothing,
>(
  definition: Partial<Endpoint<Body, Id, Params, Query>> &
    Pick<Endpoint<Body, Id, Params, Query>, 'id' | 'access' | 'grants' | 'summary'>,
): Endpoint<Body, Id, Params, Query> => ({
  form: 'envelope',
  params: nothing as z.ZodMiniType as Params,
  query: nothing as z.ZodMiniType as Query,
  body: nothing as z.ZodMiniType as Body,
  bodyBytes: LIMITS.bodyBytes,
  nullFields: 'refused',
  errors: [],
  memoryMb: 512,
  timeoutSeconds: 10,
  ...definition,
});
