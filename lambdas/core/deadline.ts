import { AsyncLocalStorage } from 'node:async_hooks';

/** Long enough to answer and to flush the log before Lambda ends the function. */
export const RESERVED_MS = 500;

const deadlines = new AsyncLocalStorage<number>();

/** Runs a call, which has the time that its function has left, and at most so many milliseconds. */
export const withDeadline = <Result>(
  context: { readonly getRemainingTimeInMillis: () => number },
  work: () => Promise<Result>,
  most = Number.POSITIVE_INFINITY,
): Promise<Result> => {
  const left = context.getRemainingTimeInMillis() - RESERVED_MS;
  return deadlines.run(Date.now() + Math.min(left, most), work);
};

/** Milliseconds that this call has left: then nothing is repeated any more. Jobs have no limit. */
export const timeLeft = (): number => (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - Date.now();
