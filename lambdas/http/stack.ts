import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { type ErrorCode, HEADERS } from '../../contract/http/errors.ts';
import { LIMITS, utf8Bytes } from '../../contract/limits.ts';
import { RESERVED_MS, withDeadline } from '../core/deadline.ts';
import { CuevaultError, isCuevaultError } from '../core/errors.ts';
import { logFailure } from '../log.ts';
import type { CallContext, HttpEvent, HttpReply } from './call.ts';

/** How an endpoint forms its replies. */
export interface Form {
  /** The body of a reply with status 200. */
  readonly success: (result: unknown) => unknown;
  /** The body of any other reply. */
  readonly failure: (message: string, code: ErrorCode, status: number) => unknown;
}

/** The form of most endpoints. */
export const ENVELOPE: Form = {
  success: (res) => ({ err: null, res }),
  failure: (err) => ({ err, res: null }),
};

const INTERNAL =
  'Internal error. The log has the details under the request id in the header cuevault-request-id.';

const GENERIC = {
  internal: INTERNAL,
  integrity: INTERNAL,
  unavailable: 'A service that Cuevault depends on did not answer. Try again shortly.',
  timeout: 'The request timed out. Try again shortly.',
} as const;

const reply = (requestId: string, statusCode: number, body: unknown, headers = {}): HttpReply => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    [HEADERS.requestId]: requestId,
    ...headers,
  },
  body: JSON.stringify(body),
});

// Each character of the body takes at most three bytes as part of a string in the reply: JSON contains no control
// characters that still need escaping.
const withinLimit = (made: HttpReply): HttpReply => {
  const { body = '' } = made;
  if (body.length * 3 <= LIMITS.replyBytes || utf8Bytes(JSON.stringify(body)) <= LIMITS.replyBytes)
    return made;
  throw new CuevaultError(
    'reply_too_large',
    'The reply is too large. Request less at a time, with "limit" or a filter.',
  );
};

/**
 * Wraps what the endpoint returns or throws in the form of its replies. Errors other than `CuevaultError`, and all with status 500
 * or above, get a generic message; their details go to the log under the request id.
 */
const answer = ({ success, failure }: Form): middy.MiddlewareObj<HttpEvent, HttpReply> => ({
  after: (request) => {
    const { awsRequestId, headers }: CallContext = request.context;
    request.response = withinLimit(reply(awsRequestId, 200, success(request.response), headers));
  },
  onError: (request) => {
    const { awsRequestId, headers: known }: CallContext = request.context;
    const { error: cause } = request;
    const error = isCuevaultError(cause) ? cause : new CuevaultError('internal', INTERNAL, { cause });
    const generic = GENERIC[error.code as keyof typeof GENERIC];
    if (generic !== undefined) logFailure('request failed', error, { requestId: awsRequestId });
    const body = failure(generic ?? error.message, error.code, error.status);
    const headers = { ...known, [HEADERS.error]: error.code, ...error.headers };
    request.response = reply(awsRequestId, error.status, body, headers);
  },
});

const OPTIONS = {
  timeoutEarlyInMillis: RESERVED_MS,
  timeoutEarlyResponse: () => {
    throw new CuevaultError('timeout', 'The request timed out.');
  },
};

/** The handler of one function. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpReply>;

/**
 * The middleware stack: what `handle` returns or throws becomes the envelope, or another form of replies, also after a
 * timeout. Public endpoints use it directly.
 * @param most milliseconds after which nothing is repeated, if the function has more
 */
export const httpStack = <Result>(
  handle: (event: HttpEvent, context: CallContext) => Promise<Result>,
  form: Form = ENVELOPE,
  most?: number,
): HttpHandler =>
  middy<HttpEvent, HttpReply>(OPTIONS)
    .use(answer(form))
    .handler(((event, context) =>
      withDeadline(context, () => handle(event, context), most)) satisfies typeof handle as never);
