import * as z from 'zod/mini';
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
  /** Its schema, or the fields of an object. */
  readonly reply: z.ZodMiniType | z.core.$ZodShape;
  readonly description: string;
  /** By hand only for endpoints of applications; others have one made from their schemas. */
  readonly examples?: readonly Example[];
  /** What a made request needs besides, because the schema cannot say it. */
  readonly request?: Pick<Example, 'query' | 'body'>;
}

const DOCUMENTATION = {
  ...apiKeys,
  ...labels,
  ...prompts,
  ...publishing,
  ...secrets,
  ...service,
  ...usage,
  ...vault,
  ...versions,
} satisfies Readonly<Record<string, Documentation>>;

/** The id of an operation with a documentation: every one. */
export type OperationId = keyof typeof DOCUMENTATION;

type Schema<Reply> = Reply extends z.core.$ZodShape ? z.ZodMiniObject<Reply> : Reply & z.ZodMiniType;

type SchemaOf<Id extends string> = Id extends OperationId
  ? Schema<(typeof DOCUMENTATION)[Id]['reply']>
  : z.ZodMiniType;

/** The result of an operation, as callers get it. */
export type ResultOf<Id extends string> = z.output<SchemaOf<Id>>;

/** The reply of an operation, as functions return it. */
export type ReplyTo<Id extends string> = ReplyOf<SchemaOf<Id>>;

/** The operations by resource: what each group is called and what it is about. */
export const RESOURCES: readonly (readonly [name: string, about: string, operations: object])[] = [
  [
    'Service',
    'What the whole installation does: overview, metrics, audit log, operators, notifications.',
    service,
  ],
  ['Prompts', 'Prompts, their drafts and examples, and how applications fetch them.', prompts],
  ['Versions', 'Published versions of a prompt.', versions],
  ['Labels', 'Labels that point to versions, and who may move them.', labels],
  ['Publishing', 'What pipelines call with an API key: publish, compare, move labels.', publishing],
  ['Usage', 'Who fetched what, and when.', usage],
  [
    'Secrets',
    'How applications fetch secrets, and how operators manage single ones, without seeing their values.',
    secrets,
  ],
  ['Vault', 'All secrets of an environment together: revisions, serving, rotation.', vault],
  ['API keys', 'API keys and trusts, and what they may do.', apiKeys],
];

/** The documentation of an endpoint, with the schema of its reply: every one has one, see `endpoints.ts`. */
export const documentationOf = ({ id }: { readonly id: string }) => {
  const { reply, ...explained }: Documentation = DOCUMENTATION[id as OperationId];
  return { ...explained, reply: reply instanceof z.ZodMiniType ? reply : z.object(reply) };
};
