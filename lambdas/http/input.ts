import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { type Endpoint, nothing } from '../../contract/endpoint.ts';
import { isObject } from '../../contract/fields/patterns.ts';
import { LIMITS } from '../../contract/limits.ts';
import { CuevaultError, invalidRequest } from '../core/errors.ts';
import type { Input } from './call.ts';

/**
 * The first issue of a failed parse as one sentence. Messages about the entire value, and about unknown fields, are
 * already sentences.
 */
const messageOf = ({ issues }: z.core.$ZodError) => {
  const issue = issues[0] as z.core.$ZodIssue;
  if (issue.path.length === 0 && issue.code === 'invalid_type') return `The body ${issue.message}.`;
  if (issue.path.length === 0 || issue.code === 'unrecognized_keys') return issue.message;
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  const problem = issue.input === undefined ? `is required and ${issue.message}` : issue.message;
  return `"${path.join('').replace(/^\./, '')}" ${problem}.`;
};

/** Parses a body, a query or path parameters with a schema. */
export const validate = <Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw invalidRequest(messageOf(parsed.error));
  return parsed.data;
};

// A 64-bit float holds 15 digits of any number.
const LONG_NUMBER = /\d{16}/;

// Newer than TypeScript's types, as is the third parameter of revivers.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

const asWritten = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  Number.isFinite(value) && LONG_NUMBER.test(context?.source ?? '')
    ? rawJSON(String(context?.source))
    : value;

const parseJson = (event: APIGatewayProxyEventV2, most: number, isExact = false): unknown => {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > most)
    throw new CuevaultError('body_too_large', `The body must be at most ${most} bytes.`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, isExact && LONG_NUMBER.test(text) ? asWritten : undefined);
  } catch {
    throw new CuevaultError('invalid_json', 'The body must be JSON in UTF-8; send {} for an empty one.');
  }
};

const checkScalar = (value: unknown) => {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw invalidRequest('The body must be well-formed Unicode: it contains half of a surrogate pair.');
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalidRequest('The body contains a number beyond the range of a 64-bit float.');
  }
};

// Level by level instead of recursively, so that a deeply nested body cannot exhaust the stack.
const checkValues = (body: unknown) => {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.bodyDepth) {
      throw invalidRequest(`The body must not be nested deeper than ${LIMITS.bodyDepth} levels.`);
    }
    const next: unknown[] = [];
    for (const value of level) {
      checkScalar(value);
      if (typeof value !== 'object' || value === null) continue;
      if (!Array.isArray(value)) for (const name of Object.keys(value)) checkScalar(name);
      for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
};

const withoutNulls = (body: unknown): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body;

/**
 * Reads and checks the body of a request.
 * @param onIgnored - Called with the names of the fields that mean nothing, before an error.
 */
export const parseBody = <Body extends z.ZodMiniType>(
  {
    body: schema,
    bodyBytes,
    nullFields,
    exactNumbers,
  }: Pick<Endpoint<Body>, 'body' | 'bodyBytes' | 'nullFields' | 'exactNumbers'>,
  event: APIGatewayProxyEventV2,
  onIgnored?: (names: readonly string[]) => void,
): z.output<Body> => {
  const value = parseJson(event, bodyBytes, exactNumbers);
  checkValues(value);
  if (nullFields === 'refused') return validate(schema, value);
  const sent = withoutNulls(value);
  const { shape } = schema as z.ZodMiniType as z.ZodMiniObject;
  const ignored = isObject(sent) ? Object.keys(sent).filter((name) => !Object.hasOwn(shape, name)) : [];
  if (ignored.length > 0) onIgnored?.(ignored);
  return validate(schema, sent);
};

/** Reads and checks path parameters, query and body. */
export const parseInput = <E extends Endpoint>(
  definition: E,
  event: APIGatewayProxyEventV2,
  onIgnored?: (names: readonly string[]) => void,
): Input<E> => {
  const { params, query, body }: Pick<E, 'params' | 'query' | 'body'> = definition;
  const takesNoBody = body === nothing;
  return {
    params: validate(params, event.pathParameters ?? {}),
    query: validate(query, event.queryStringParameters ?? {}),
    body:
      takesNoBody && (event.body ?? '') === ''
        ? validate(body, {})
        : parseBody<E['body']>(definition, event, onIgnored),
  };
};
