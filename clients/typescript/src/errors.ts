import type { ErrorCode as ServiceErrorCode } from '../../../contract/http/errors.ts';
import { quoted } from './wire.ts';

// CuevaultError                the base class; itself for invalid settings (`configuration`)
// ├── AuthenticationError      401
// ├── PermissionDeniedError    403
// ├── NotFoundError            404
// ├── InvalidRequestError      400, 409, 413
// │   └── MissingVariablesError    a strict compile lacks values
// ├── RateLimitedError         429
// ├── UnavailableError         5xx, no connection, a reply that does not come from Cuevault
// └── CuevaultTimeoutError     no reply in time

export type { ServiceErrorCode };

/** Codes of the client itself. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'invalid_reply'
  | 'configuration'
  | 'unknown_variables'
  | 'missing_placeholders';

/** Those of the service are in its header `cuevault-error`; a later service may have more. */
export type ErrorCode = ClientErrorCode | ServiceErrorCode | (string & {});

export interface ErrorDetails {
  readonly code: ErrorCode;
  /** HTTP status of the reply, undefined without one. */
  readonly status?: number | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId?: string | undefined;
  /** Seconds to wait, if a reply with status 429 or 503 says so. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The base class of all errors of this package. No error contains an API key or the value of a secret. */
export class CuevaultError extends Error {
  // Spelled out, as bundlers shorten the names of classes.
  override readonly name: string = 'CuevaultError';
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait, if a reply with status 429 or 503 says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, requestId, retryAfter, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** 401: the API key is missing, malformed, unknown, expired or revoked. */
export class AuthenticationError extends CuevaultError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: the API key lacks the permission or may not be used from this address, or an administrator has stopped all secrets. */
export class PermissionDeniedError extends CuevaultError {
  override readonly name: string = 'PermissionDeniedError';
}

/** 404: there is no such prompt, version, label, environment or secret. */
export class NotFoundError extends CuevaultError {
  override readonly name: string = 'NotFoundError';
}

/** 400, 409, 413: the request cannot be answered as it is. */
export class InvalidRequestError extends CuevaultError {
  override readonly name: string = 'InvalidRequestError';
}

/** A strict compile lacks values; nothing was sent. */
export class MissingVariablesError extends InvalidRequestError {
  override readonly name: string = 'MissingVariablesError';
  /** Names of the placeholders without a value, in order of first occurrence. */
  readonly variables: readonly string[];

  constructor(variables: readonly string[]) {
    super(
      `The prompt needs a value for ${quoted(variables)}. Add it to "variables", or leave out "strict".`,
      {
        code: 'missing_variables',
      },
    );
    this.variables = variables;
  }
}

/**
 * The error for a call that is not sent because an earlier one failed. Not the earlier error: its stack is that of another
 * call.
 */
export const notSent = (outage: CuevaultError): CuevaultError => {
  const Class = outage.constructor as typeof CuevaultError;
  const message = `${outage.message} This call was not sent, because an earlier one failed in this way.`;
  return new Class(message, { ...outage, cause: outage });
};

/** The same error for one of several callers, with the stack of that caller's code. */
export const forCaller = (error: unknown): unknown =>
  error instanceof CuevaultError
    ? new (error.constructor as typeof CuevaultError)(error.message, error)
    : error;

/** 429: too many requests. */
export class RateLimitedError extends CuevaultError {
  override readonly name: string = 'RateLimitedError';
}

/** The service cannot be reached or cannot answer, or something else answered in its place. */
export class UnavailableError extends CuevaultError {
  override readonly name: string = 'UnavailableError';
}

/** No reply in time. */
export class CuevaultTimeoutError extends CuevaultError {
  override readonly name: string = 'CuevaultTimeoutError';
}

/** Whether an error says that the service cannot answer now, so that a copy may answer in its place. */
export const isOutage = (error: unknown): error is CuevaultError =>
  error instanceof UnavailableError ||
  error instanceof CuevaultTimeoutError ||
  error instanceof RateLimitedError;

/** Whether an error says that the caller must not have (401, 403) or cannot have (404) the answer: copies are deleted. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AuthenticationError ||
  error instanceof PermissionDeniedError ||
  error instanceof NotFoundError;
