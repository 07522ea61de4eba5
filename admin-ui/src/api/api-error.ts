import type { ErrorCode } from '../../../contract/http/errors.ts';

/** A call that the service rejected. `message` is its human-readable sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Absent if the gateway answered instead of a function. */
  readonly code: ErrorCode | undefined;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    {
      status,
      code,
      requestId,
    }: { status: number; code?: ErrorCode | undefined; requestId?: string | undefined },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Nothing answered. `message` says what to do. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(cause: unknown) {
    super('The service cannot be reached. Check your connection and try again.', { cause });
  }
}

/** Whether an error has one of these codes. */
export const isRefusal = (error: unknown, ...codes: readonly ErrorCode[]): error is ApiError =>
  error instanceof ApiError && error.code !== undefined && codes.includes(error.code);

/** Whether trying again may help, as after a network failure: not if the service has rejected the call. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 || error.status === 429 : error instanceof Unreachable;

/** Whether the service has answered that the resource is forbidden or does not exist. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404].includes(error.status);

const DELETED: readonly ErrorCode[] = ['prompt_not_found', 'secret_not_found'];

/**
 * The sentence about an error of a change. Where the service names an id that it does not know, someone has deleted
 * what is on the screen.
 */
export const messageOfChange = (error: unknown): string => {
  if (!isRefusal(error, ...DELETED)) return messageOf(error);
  const kind = error.code === 'prompt_not_found' ? 'prompt' : 'secret';
  return `Someone has deleted this ${kind} in the meantime. Restore it in another window, under Deleted ${kind}s, then try again here.`;
};

// It is for programs; here, a checkbox replaces it.
const HOW_TO_CONFIRM = / Send confirm=true.*$| An operator decides: .*$|, with "confirm=true"/;

/** A human-readable sentence about any error. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ApiError) return error.message.replace(HOW_TO_CONFIRM, '');
  if (error instanceof TypeError) return `This page has an error: ${error.message}`;
  return error instanceof Error ? error.message : 'Something went wrong.';
};
