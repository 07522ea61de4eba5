import { ERROR_STATUS, type ErrorCode } from '../../contract/http/errors.ts';

/**
 * The error that callers see: a code of the closed list and a sentence that says what was wrong and how to fix it. Any
 * other error is answered as `internal`; its text goes only to the log.
 */
export class CuevaultError extends Error {
  readonly code: ErrorCode;
  /** Headers of the reply that only this error has. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    { headers = {}, ...options }: ErrorOptions & Partial<Pick<CuevaultError, 'headers'>> = {},
  ) {
    super(message, options);
    this.name = 'CuevaultError';
    this.code = code;
    this.headers = headers;
  }

  /** HTTP status of the reply. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** What was read has changed since. Writers read again and retry a few times. */
export class StaleError extends CuevaultError {}

/** The error for a request that does not match the contract. */
export const invalidRequest = (sentence: string): CuevaultError =>
  new CuevaultError('invalid_request', sentence);

/** Throws if a condition is false, with a sentence that says what is required. */
export const assertValid = (holds: boolean, sentence: string): void => {
  if (!holds) throw invalidRequest(sentence);
};

/** Whether an error is a `CuevaultError` with one of the codes (any code if none is given). */
export const isCuevaultError = (error: unknown, ...codes: ErrorCode[]): error is CuevaultError =>
  error instanceof CuevaultError && (codes.length === 0 || codes.includes(error.code));

/**
 * The signature of a stored row does not verify: someone has changed the row by hand or replaced it with an older one.
 * Callers get a generic message; the log gets the row's key.
 */
export class IntegrityError extends CuevaultError {
  /** @param reason - What is wrong with the row, without its content. */
  constructor(
    { pk, sk }: { readonly pk: string; readonly sk: string },
    reason: string,
    options?: ErrorOptions,
  ) {
    super('integrity', `The row ${pk} / ${sk} is refused: ${reason}.`, options);
    this.name = 'IntegrityError';
  }
}

/** What is read, or undefined if its row does not verify. */
export const ifGenuine = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof IntegrityError) return undefined;
    throw error;
  }
};
