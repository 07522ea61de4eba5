import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_MS } from '../http/timer.ts';
import type { SecretsResult } from '../wire.ts';
import { type Child, type Ending, passSignals } from './child.ts';
import { cliMessage, oneLine } from './exit-codes.ts';

const GRACE_MS = 10_000;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
const ENDS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

export interface Watched {
  readonly start: (secrets: SecretsResult) => Child;
  /** Fetches the secrets again, and refuses those that cannot be set. */
  readonly read: () => Promise<SecretsResult>;
  readonly intervalMs: number;
  readonly warn: (sentence: string) => void;
  /** Whether signals reach all that the command has started. */
  readonly group?: boolean | undefined;
}

const KEEPS = 'The command keeps running with its current values.';

/** Names of the secrets that were added or changed. */
const changedNames = (before: SecretsResult, after: SecretsResult): string[] =>
  Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .sort();

/** The ending of a child, or undefined when the interval is over first. */
const endingWithin = async (child: Child, ms: number): Promise<Ending | undefined> => {
  const timer = new AbortController();
  try {
    return await Promise.race([child.ended, sleep(Math.min(ms, LONGEST_MS), undefined, timer)]);
  } finally {
    timer.abort();
  }
};

/** Ends the command, then what it has left behind. */
const stop = async (child: Child, group: boolean | undefined): Promise<Ending> => {
  const deadline = Date.now() + GRACE_MS;
  // This look also finds what loses its parent when the command ends.
  if (child.isRunning()) child.kill('SIGTERM', group);
  void child.ended.then(
    () => child.isRunning() && child.kill('SIGTERM', true),
    () => undefined,
  );
  // Where there is no /proc, each look starts a program that lists all processes.
  for (
    let ms = FIRST_POLL_MS;
    child.isRunning() && Date.now() < deadline;
    ms = Math.min(2 * ms, LONGEST_POLL_MS)
  )
    await sleep(ms);
  if (child.isRunning()) child.kill('SIGKILL', true);
  return child.ended;
};

/**
 * Runs a command, and restarts it when the secrets have changed. Returns how it ended: on its own, or by a signal that
 * was sent to this process.
 */
export const watch = async (watched: Watched, first: SecretsResult): Promise<Ending> => {
  let secrets = first;
  let child: Child | undefined;
  let ending: Ending | undefined;
  let stopped = false;
  // Before the start: a signal right after it would end only this process.
  const release = passSignals((signal) => {
    stopped ||= ENDS.includes(signal);
    child?.kill(signal, watched.group);
  });
  try {
    child = watched.start(secrets);
    while (true) {
      ending = await endingWithin(child, watched.intervalMs);
      if (ending !== undefined) return ending;
      const outcome = await Promise.race([
        child.ended.then((ended) => ({ ended })),
        watched.read().then(
          (found) => ({ found }),
          (error: Error) => ({ error }),
        ),
      ]);
      if ('ended' in outcome) return outcome.ended;
      if ('error' in outcome) {
        watched.warn(`${cliMessage(outcome.error)} ${KEEPS}`);
        continue;
      }
      const { found } = outcome;
      const gone = Object.keys(secrets).filter((name) => !Object.hasOwn(found, name));
      if (gone.length > 0) {
        watched.warn(`No longer found: ${gone.map(oneLine).join(', ')}. ${KEEPS}`);
        continue;
      }
      const changed = changedNames(secrets, found);
      if (changed.length === 0) continue;
      watched.warn(`Changed: ${changed.map(oneLine).join(', ')}. The command is restarted.`);
      ending = await stop(child, watched.group);
      if (stopped) return ending;
      secrets = found;
      child = watched.start(secrets);
    }
  } finally {
    release();
  }
};
