import type middy from '@middy/core';
import { HEADERS } from '../../contract/http/envelope.ts';
import { LIMITS, utf8Bytes } from '../../contract/limits.ts';
import { CuevaultError, isCuevaultError } from '../core/errors.ts';
import { logFailure } from '../log.ts';
import type { HttpEvent, HttpReply } from './call.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';

const INTERNAL =
  'Internal error. The log has the details under the request id in the header cuevault-request-id.';

const GENERIC = {
  internal: INTERNAL,
  integrity: INTERNAL,
  unavailable: 'A service that Cuevault depends on did not answer. Try again shortly.',
  timeout: 'The request timed out. Try again shortly.',
} as const;

const reply = (requestId: string, statusCode: number, envelope: unknown, headers = {}): HttpReply => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    [HEADERS.requestId]: requestId,
    ...headers,
  },
  body: JSON.stringify(envelope),
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

const asOurs = (error: unknown): CuevaultError =>
  isCuevaultError(error) ? error : new CuevaultError('internal', INTERNAL, { cause: error });

/**
 * Wraps what the endpoint returns or throws in the envelope. Errors other than `CuevaultError`, and all with status 500
 * or above, get a generic message; their details go to the log under the request id.
 */
export const answer = (): middy.MiddlewareObj<HttpEvent, HttpReply> => ({
  after: (request) => {
    const envelope = { err: null, res: request.response };
    request.response = withinLimit(reply(request.context.awsRequestId, 200, envelope));
  },
  onError: (request) => {
    const { awsRequestId } = request.context;
    const error = asOurs(request.error);
    const generic = GENERIC[error.code as keyof typeof GENERIC];
    if (generic !== undefined) logFailure('request failed', error, { requestId: awsRequestId });
    const envelope = { err: generic ?? error.message, res: null };
    const allow = error instanceof MethodNotAllowed ? { allow: error.allow } : {};
    request.response = reply(awsRequestId, error.status, envelope, { [HEADERS.error]: error.code, ...allow });
  },
});
