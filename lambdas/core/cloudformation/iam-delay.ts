import { setTimeout as sleep } from 'node:timers/promises';

const DENIED = new Set(['AccessDeniedException', 'UnrecognizedClientException']);

const PAUSE_MS = 5_000;
const TRIES = 12;

const isDenied = (error: unknown): boolean =>
  error instanceof Error && (DENIED.has(error.name) || isDenied(error.cause));

/**
 * Retries an action for up to a minute while AWS denies it: a new role takes some seconds to propagate. `pause` waits
 * between two attempts.
 */
export const retryWhileDenied = async <T>(
  action: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (!isDenied(error) || tries === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
};
