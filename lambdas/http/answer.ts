import type middy from '@middy/core';
import { HEADERS } from '../../contract/envelope.ts';
import { LIMITS, utf8Bytes } from '../../contract/limits.ts';
import { CuevaultError, isCuevaultError } from '../core/errors.ts';
import { logFailure } from '../log.ts';
import type { HttpEvent, HttpReply } from './call.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';

const INTERNAL =
  'Something went wrong on our side. The request id in the header cuevault-request-id leads to the details.';

const GENERIC = {
  internal: INTERNAL,
  integrity: INTERNAL,
  unavailable: 'A service that Cuevault depends on did not answer. Try again shortly.',
  timeout: 'The time for this request ran out. Try again shortly.',
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

// Every character of the body takes at most three bytes once it stands as a string in the reply around it: what is JSON
// has no control characters left to escape.
const withinLimit = (made: HttpReply): HttpReply => {
  const { body = '' } = made;
  if (body.length * 3 <= LIMITS.replyBytes || utf8Bytes(JSON.stringify(body)) <= LIMITS.replyBytes)
    return made;
  throw new CuevaultError(
    'reply_too_large',
    'The reply is too large. Ask for less at a time, with "limit" or a filter.',
  );
};

const asOurs = (error: unknown): CuevaultError =>
  isCuevaultError(error) ? error : new CuevaultError('internal', INTERNAL, { cause: error });

/**
 * Makes the envelope of whatever the endpoint returns or throws. Errors that are not ours, and all of 500 and above,
 * get a generic sentence; their details go to the log under the request id.
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
