import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Grant } from './grants.ts';
import { LIMITS } from './limits.ts';

export type Permission = 'prompts' | 'secrets';

/** What an operator may do: `viewer` reads, `editor` changes prompts and secrets, `admin` everything. */
export type Role = 'viewer' | 'editor' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anyone, holders of an API key with the permission, or operators of at least that role. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'api-key'; readonly permission: Permission }
  | { readonly kind: 'operator'; readonly role: Role };

export interface Example {
  readonly summary: string;
  /** Path parameters and query, where the endpoint has any. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Absent where the endpoint takes no body. */
  readonly body?: unknown;
  readonly res: unknown;
}

/** The schema of what an endpoint does not take: nothing is read. */
export const nothing = z.object({});
export type Nothing = typeof nothing;

/** One operation, as data. Routes, functions, grants, OpenAPI and types are read off it. */
export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Operation id: also the name of the file under `lambdas/endpoints`, of the construct and of the client method. */
  readonly id: string;
  /** Absent for the default route, which answers what no other route takes. A path may hold `{parameters}`. */
  readonly route?: { readonly method: Method; readonly path: string };
  readonly access: Access;
  /** The parameters of the path, decoded. */
  readonly params: Params;
  /** The query, decoded: its values are strings, of which the schema makes what it needs. */
  readonly query: Query;
  readonly body: Body;
  /** Largest body, in bytes. */
  readonly bodyBytes: number;
  /** Whether a field of the body that is `null` counts as absent, or is judged like any other value. */
  readonly nullFields: 'absent' | 'refused';
  readonly reply: Reply;
  readonly errors: readonly ErrorCode[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly grants: readonly Grant[];
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

/** What an endpoint may return: its reply, whose arrays may well be readonly. */
export type ReplyOf<Reply extends z.ZodMiniType> = Frozen<z.output<Reply>>;

type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T;

type Optional = 'params' | 'query' | 'body' | 'bodyBytes' | 'nullFields';

/** Keeps the exact schema types of an endpoint while checking its form. What is left out, it does not take. */
export const endpoint = <
  Reply extends z.ZodMiniType,
  Body extends z.ZodMiniType = Nothing,
  Params extends z.ZodMiniType = Nothing,
  Query extends z.ZodMiniType = Nothing,
>(
  definition: Omit<Endpoint<Body, Reply, Params, Query>, Optional> &
    Partial<Pick<Endpoint<Body, Reply, Params, Query>, Optional>>,
): Endpoint<Body, Reply, Params, Query> => ({
  params: nothing as z.ZodMiniType as Params,
  query: nothing as z.ZodMiniType as Query,
  body: nothing as z.ZodMiniType as Body,
  bodyBytes: LIMITS.bodyBytes,
  nullFields: 'absent',
  ...definition,
});
