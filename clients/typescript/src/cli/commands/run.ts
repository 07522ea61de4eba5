import { setTimeout as sleep } from 'node:timers/promises';
import { heldCredentials, PROOF_VARIABLES } from '../../credential.ts';
import { LONGEST_MS } from '../../http/timer.ts';
import type { SecretsResult } from '../../wire.ts';
import { becomeCommand, type Child, type Ending, endAs, passSignals, startChild } from '../child.ts';
import { CliError, cliMessage, EXIT, oneLine } from '../exit-codes.ts';
import { type Environment, noSuchCommand, valueIn, withoutNames } from '../find.ts';
import { assignmentsIn, checkRequired, inject } from '../injection.ts';
import type { Call, Values } from '../options.ts';
import { listed, positive, secretsSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';

const GRACE_MS = 10_000;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;
const ENDS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

export interface Watched {
  readonly start: (secrets: SecretsResult) => Child;
  /** Fetches the secrets again, and refuses those that cannot be set. */
  readonly read: () => Promise<SecretsResult>;
  /** @default - the secrets are not fetched again */
  readonly intervalMs: number | undefined;
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
const endingWithin = async (child: Child, ms: number | undefined): Promise<Ending | undefined> => {
  if (ms === undefined) return child.ended;
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
 * Runs a command, and restarts it when the secrets have changed, if that is wanted. Returns how it ended: on its own, or by a signal that
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

const inheritedBy = (values: Values): Environment => {
  const inherited = withoutNames(process.env, values['without-api-key'] === true ? PROOF_VARIABLES : []);
  if (values.environment === undefined) return inherited;
  return { ...withoutNames(inherited, ['CUEVAULT_ENVIRONMENT']), CUEVAULT_ENVIRONMENT: values.environment };
};

// Without a prototype: a secret may be called __proto__.
const environmentWith = (secrets: SecretsResult, values: Values): Environment =>
  Object.assign(Object.create(null), withoutNames(inheritedBy(values), Object.keys(secrets)), secrets);

/** A function that chooses which secrets the command gets, and says what it does not get, once. */
const chooserFor = (values: Values, terminal: Terminal) => {
  const rules = {
    allow: listed('allow', values.allow) ?? [],
    override: listed('override', values.override) ?? [],
  };
  const required = (values.require ?? []).flatMap(assignmentsIn).map(({ key }) => key);
  let reported: string | undefined;
  return (secrets: SecretsResult): SecretsResult => {
    const { set, report } = inject(secrets, inheritedBy(values), rules);
    if (report !== undefined && values.strict === true) throw new CliError(report, EXIT.unsuitable);
    if (report !== undefined && report !== reported) terminal.err(`cuevault: ${report}\n`);
    reported = report;
    checkRequired(required, environmentWith(set, values));
    return set;
  };
};

/** `cuevault run -- COMMAND`: runs the command with secrets in its environment. Returns the exit code. */
export const runCommand = async ({ values, operands, terminal }: Call): Promise<number> => {
  const [command = '', ...rest] = operands;
  if (command === '') throw noSuchCommand('""');
  const intervalMs = positive('watch-interval', values['watch-interval'] ?? '60') * 1000;
  const own = (values['env-file'] ?? []).flatMap(assignmentsIn).map(({ key, value }) => [key, value]);
  const choose = chooserFor(values, terminal);
  const source = secretsSource(values, terminal);
  let fetched: SecretsResult = {};
  const read = async () => {
    // Without a prototype: a secret may be called __proto__.
    const found: SecretsResult = Object.fromEntries([...Object.entries(await source()), ...own]);
    const chosen = choose(found);
    fetched = found;
    return chosen;
  };
  const start = (current: SecretsResult) => {
    const env = environmentWith(current, values);
    const inherited = Object.keys(fetched).map((name) => valueIn(env, name));
    const secret = [...Object.values(fetched), ...inherited, ...heldCredentials()];
    const masked = values.redact === true ? secret.filter((value) => value !== undefined) : undefined;
    return startChild(command, rest, env, masked);
  };
  const secrets = await read();
  if (values.watch !== true && values.redact !== true)
    becomeCommand(command, rest, environmentWith(secrets, values));
  const warn = (sentence: string) => terminal.err(`cuevault: ${sentence}\n`);
  const watched = { start, read, intervalMs: values.watch === true ? intervalMs : undefined, warn };
  return endAs(await watch({ ...watched, group: values.group }, secrets));
};
