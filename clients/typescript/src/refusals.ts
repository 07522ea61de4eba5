// Apart from the classes, which other entries of the package import from the main one.
import { InvalidRequestError, UnavailableError } from './errors.ts';

/** The error for a call that was never sent. */
export const invalidCall = (message: string, cause?: unknown): InvalidRequestError =>
  new InvalidRequestError(message, { code: 'invalid_request', cause });

/** The error for a reply of the service that lacks what was asked for. */
export const invalidReply = (message: string): UnavailableError =>
  new UnavailableError(message, { code: 'invalid_reply', status: 200 });
