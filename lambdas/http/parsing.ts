import type * as z from 'zod/mini';
import { CuevaultError } from '../core/errors.ts';

/** The error for a request that does not match the contract. */
export const invalidRequest = (sentence: string): CuevaultError =>
  new CuevaultError('invalid_request', sentence);

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((outer, part) => (outer as Record<PropertyKey, unknown> | undefined)?.[part], value);

/**
 * The first issue of a failed parse as one sentence. Messages about the entire value, and about unknown fields, are
 * already sentences.
 */
const messageOf = ({ issues }: z.core.$ZodError, value: unknown): string => {
  const [issue] = issues;
  if (issue === undefined) return 'The request is not valid.';
  if (issue.path.length === 0 || issue.code === 'unrecognized_keys') return issue.message;
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  const problem = at(value, issue.path) === undefined ? `is required and ${issue.message}` : issue.message;
  return `"${path.join('').replace(/^\./, '')}" ${problem}.`;
};

/** Parses a body, a query or path parameters with a schema. Errors: `invalid_request`. */
export const validate = <Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidRequest(messageOf(parsed.error, value));
  return parsed.data;
};
