import {
  AuthenticationError,
  CuevaultError,
  isOutage,
  NotFoundError,
  PermissionDeniedError,
} from '../errors.ts';

/** Exit codes of the command line; `run` exits as its command exits. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unavailable: 5,
  unsuitable: 6,
  differs: 8,
  drift: 9,
  cannotRun: 126,
  noSuchCommand: 127,
} as const;

/** A failure of the command line itself: the message and the exit code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code that a failure means. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return EXIT.refused;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (isOutage(error)) return EXIT.unavailable;
  if (error instanceof CuevaultError && error.code === 'configuration') return EXIT.usage;
  if (error instanceof CuevaultError && error.code === 'changed_meanwhile') return EXIT.drift;
  return EXIT.other;
};
