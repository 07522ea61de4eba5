import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';

/**
 * The one error that callers see: a code of the closed list and a sentence that says what was wrong and how to put
 * it right. Everything else that is thrown is answered as `internal`, its text going to the log alone.
 */
export class CuevaultError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CuevaultError';
    this.code = code;
  }

  /** HTTP status of the reply. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Refuses what does not hold, with a sentence that says what must. Errors: `invalid_request`. */
export const assertValid = (holds: boolean, sentence: string): void => {
  if (!holds) throw new CuevaultError('invalid_request', sentence);
};

/** Whether an error is ours and has one of the codes (any code if none is given). */
export const isCuevaultError = (error: unknown, ...codes: ErrorCode[]): error is CuevaultError =>
  error instanceof CuevaultError && (codes.length === 0 || codes.includes(error.code));

/**
 * A stored row is not what was signed: someone has changed it by hand, or put an older one in its place. Callers get
 * the generic sentence; the log gets the row's key.
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

/** Another writer was faster: what the change was decided on has changed. Writers start again a few times. */
export class ConflictError extends CuevaultError {
  /** @param subject - What was changed by someone else, such as `prompt`. */
  constructor(subject: 'prompt' | 'vault') {
    super(
      'changed_meanwhile',
      `The ${subject} was changed by someone else in the meantime. Look at it again and repeat your change.`,
    );
    this.name = 'ConflictError';
  }
}
