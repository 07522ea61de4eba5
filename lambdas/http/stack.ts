import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { CuevaultError } from '../core/errors.ts';
import { answer } from './answer.ts';
import type { HttpEvent, HttpReply } from './call.ts';

// Long enough to answer and to let the log out before Lambda ends the function.
const RESERVED_MS = 500;

const OPTIONS = {
  timeoutEarlyInMillis: RESERVED_MS,
  timeoutEarlyResponse: () => {
    throw new CuevaultError('timeout', 'The time for this request ran out.');
  },
};

/** The handler of one function. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpReply>;

/**
 * The one middleware stack: what `handle` returns or throws becomes the envelope, also when the time runs out. An
 * endpoint that anyone may call uses it as it is.
 */
export const httpStack = <Result>(
  handle: (event: HttpEvent, context: Context) => Promise<Result>,
): HttpHandler =>
  middy<HttpEvent, HttpReply>(OPTIONS)
    .use(answer())
    .handler(handle as never);
