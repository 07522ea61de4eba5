import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { CuevaultError } from '../core/errors.ts';
import { answer, FORMS, type Form } from './answer.ts';
import type { HttpEvent, HttpReply } from './call.ts';

// Long enough to answer and to flush the log before Lambda ends the function.
const RESERVED_MS = 500;

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
 */
export const httpStack = <Result>(
  handle: (event: HttpEvent, context: Context) => Promise<Result>,
  form: Form = FORMS.envelope,
): HttpHandler =>
  middy<HttpEvent, HttpReply>(OPTIONS)
    .use(answer(form))
    .handler(handle as never);
