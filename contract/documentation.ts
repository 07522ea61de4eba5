import type * as z from 'zod/mini';
import { apiKeys } from './documentation/api-keys.ts';
import { labels } from './documentation/labels.ts';
import { prompts } from './documentation/prompts.ts';
import { publishing } from './documentation/publishing.ts';
import { secrets } from './documentation/secrets.ts';
import { service } from './documentation/service.ts';
import { usage } from './documentation/usage.ts';
import { vault } from './documentation/vault.ts';
import { versions } from './documentation/versions.ts';
import type { ReplyOf } from './endpoint.ts';

export interface Example {
  readonly summary: string;
  /** Path parameters and query, if the endpoint has any. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Absent if the endpoint takes no body. */
  readonly body?: unknown;
  readonly res: unknown;
}

/** What an operation replies, and how it is explained. Its function needs only the type of the reply. */
export interface Documentation {
  readonly reply: z.ZodMiniType;
  readonly description: string;
  /** By hand only for endpoints of applications; others have one made from their schemas. */
  readonly examples?: readonly Example[];
  /** What a made request needs besides, because the schema cannot say it. */
  readonly request?: Pick<Example, 'query' | 'body'>;
}

const DOCUMENTATION = {
  ...{ ...apiKeys, ...labels, ...prompts, ...publishing, ...secrets },
  ...{ ...service, ...usage, ...vault, ...versions },
} satisfies Readonly<Record<string, Documentation>>;

/** The id of an operation with a documentation: every one. */
export type OperationId = keyof typeof DOCUMENTATION;

type SchemaOf<Id extends string> = Id extends OperationId
  ? (typeof DOCUMENTATION)[Id]['reply']
  : z.ZodMiniType;

/** The result of an operation, as callers get it. */
export type ResultOf<Id extends string> = z.output<SchemaOf<Id>>;

/** The reply of an operation, as functions return it. */
export type ReplyTo<Id extends string> = ReplyOf<SchemaOf<Id>>;

export const documentationOf = ({ id }: { readonly id: string }): Documentation => {
  const found = (DOCUMENTATION as Readonly<Record<string, Documentation>>)[id];
  if (found === undefined) throw new Error(`The operation ${id} has no documentation.`);
  return found;
};
