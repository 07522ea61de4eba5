import { CuevaultTimeoutError } from '../errors.ts';

/** The maximum of timers; a longer time would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds for a timer. */
export const timerMs = (ms: number): number => Math.min(ms, LONGEST_MS);

interface Limits {
  /** Milliseconds after which to stop waiting, with CuevaultTimeoutError. */
  readonly ms?: number | undefined;
  /** Stops waiting, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits for a promise, but no longer than its limits allow. */
export const waitFor = async <Value>(promise: Promise<Value>, { ms, signal }: Limits): Promise<Value> => {
  if (ms === undefined && signal === undefined) return promise;
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    if (ms !== undefined) {
      const sentence = `Cuevault did not answer within ${Math.round(ms)} ms.`;
      timer = setTimeout(() => reject(new CuevaultTimeoutError(sentence, { code: 'timeout' })), timerMs(ms));
    }
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
};
