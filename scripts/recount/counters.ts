import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { dayAfter, dayOf, daysAfter, earlier, expiresAfter, later } from '../../lambdas/core/days.ts';
import { lastDays } from '../../lambdas/core/lists/day-ranges.ts';
import { inParallel } from '../../lambdas/core/parallel.ts';
import { revisionsOf } from '../../lambdas/core/usage/counting.ts';
import { readLastUses } from '../../lambdas/store/api-keys/uses.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { readsOf, shardsOf } from '../../lambdas/store/entry-shards.ts';
import { allPrompts } from '../../lambdas/store/prompts/all-prompts.ts';
import { listDeleted } from '../../lambdas/store/prompts/deletions.ts';
import { inRange, keyOfItem, queryItems, rowsFrom } from '../../lambdas/store/queries.ts';
import { type Item, type Key, putItem, type Table } from '../../lambdas/store/table.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { sourceOf } from '../../lambdas/store/usage/accesses.ts';
import { inIndexOf } from '../../lambdas/store/usage/counters.ts';
import { dayKey, readRecent, recentKey } from '../../lambdas/store/usage/days.ts';
import { entryOf } from '../../lambdas/store/usage/entries.ts';
import { environmentOf, requireMayWrite, resourcesOf } from '../aws/functions.ts';
import { CommandError, requireStack } from '../aws/stack.ts';

/** The result of a recount, over all days. */
export interface Recount {
  readonly days: number;
  readonly entries: number;
  readonly counters: number;
  /** Removed counters, for which there were no entries. */
  readonly removed: number;
}

/** Maximum number of deleted prompts to read; others are recounted if they were fetched lately. */
const DELETED = 1_000;
/** Entries of a recount have no position in the stream. */
const NO_POSITION = '';

/** Ids of the prompts that may have entries: those that exist, and those that were fetched lately; and of used keys. */
const knownNames = async (table: Table, now: Date) => {
  const live = (await Array.fromAsync(allPrompts(table))).map(({ promptId }) => promptId);
  const { items } = await listDeleted(table, now, DELETED);
  const fetched = (await readRecent(table, 'all', now)).keys();
  const prompts = new Set([...live, ...items.map(({ promptId }) => promptId), ...fetched]);
  return { prompts, keyIds: [...(await readLastUses(table)).keys()] };
};

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** What the entries of a counter say. */
interface Tally {
  readonly counter: Key;
  readonly count: number;
  readonly lastAt: string;
  /** The revisions that were read. */
  readonly lowest?: number;
  readonly highest?: number;
}

/** Counts the entries of a source on a day and before a time, shard by shard, by counter. None stays in memory. */
const tallied = async (table: Table, source: string, day: string, before: string) => {
  const tallies = new Map<string, Tally>();
  await inParallel(await shardsOf(table, source), async (pk) => {
    for await (const after of queryItems(table, inRange(pk, day, earlier(before, dayAfter(day))))) {
      const { counter, at, revision } = entryOf({ after, sequence: NO_POSITION });
      const known = tallies.get(nameOf(counter));
      const revisions = revisionsOf([
        { revision },
        { revision: known?.lowest },
        { revision: known?.highest },
      ]);
      tallies.set(nameOf(counter), {
        counter,
        count: (known?.count ?? 0) + 1,
        lastAt: later(known?.lastAt ?? '', at),
        ...(revisions && { lowest: revisions[0], highest: revisions[1] }),
      });
    }
  });
  return tallies;
};

/** Whether the table still has all entries that it has kept for these days. */
const isKept = (day: string, days: number, until: string): boolean =>
  day > dayOf(daysAfter(new Date(until), -days));

/** Replaces counters by what the entries of a source say. */
const recountFrom = async (
  table: Table,
  counters: readonly Item[],
  source: string,
  day: string,
  until: string,
): Promise<Omit<Recount, 'days'>> => {
  const tallies = await tallied(table, source, day, until);
  await inParallel(tallies.values(), async ({ counter, ...tally }) => {
    const ttl = expiresAfter(new Date(tally.lastAt), table.settings.accessDays);
    await putItem(table, { ...counter, ...inIndexOf(counter), ...tally, ttl, recountedTo: until });
  });
  const empty = counters.map(keyOfItem).filter((key) => !tallies.has(nameOf(key)));
  await inParallel(empty, (key) => deleteItem(table, key));
  const entries = [...tallies.values()].reduce((sum, { count }) => sum + count, 0);
  return { entries, counters: tallies.size, removed: empty.length };
};

const monthIn = (day: string): string => day.slice(0, 7);

const recountDay = async (
  table: Table,
  day: string,
  { prompts, keyIds }: Awaited<ReturnType<typeof knownNames>>,
  until: string,
) => {
  const { accessDays, readDays } = table.settings;
  const countersIn = async (pk: string) => Array.fromAsync(rowsFrom(table, pk, `${day}#`));
  const done: Omit<Recount, 'days'>[] = [];
  if (isKept(day, accessDays, until))
    done.push(
      ...(await inParallel(prompts, async (id) =>
        recountFrom(table, await countersIn(PARTITIONS.usage + id), sourceOf(id, monthIn(day)), day, until),
      )),
    );
  if (isKept(day, readDays, until)) {
    const counters = await inParallel(keyIds, (id) => countersIn(PARTITIONS.vaultUse + id));
    done.push(await recountFrom(table, counters.flat(), readsOf(monthIn(day)), day, until));
  }
  // The job computes it again. A run that has read the old counters refuses to write over this.
  const ttl = expiresAfter(new Date(day), accessDays);
  await putItem(table, { ...dayKey(day), recountedAt: new Date().toISOString(), ttl });
  return done;
};

/**
 * Counts the entries of the last `days` days again and replaces the counters. Counters of days whose entries have begun
 * to expire stay as they are. Call it only while the stream's consumer
 * is paused, with an `until` after the pause began and before which no running request started: this function counts
 * the entries before it, the stream's consumer those after it. Errors: `unavailable`; then run it again before the
 * consumer resumes.
 */
export const recount = async (table: Table, days: number, until: Date): Promise<Recount> => {
  const known = await knownNames(table, until);
  await inParallel(known.prompts, (promptId) => deleteItem(table, recentKey(promptId)));
  const done: Omit<Recount, 'days'>[] = [];
  for (const day of lastDays(days, until)) {
    done.push(...(await recountDay(table, day, known, until.toISOString())));
  }
  const sumOf = (name: 'entries' | 'counters' | 'removed') => done.reduce((sum, each) => sum + each[name], 0);
  return { days, entries: sumOf('entries'), counters: sumOf('counters'), removed: sumOf('removed') };
};

const CONSUMER = 'usage-count';
const POLL_MS = 5_000;
/** Requests end after 15 seconds, and clocks differ by a few seconds at most. */
const MARGIN_MS = 60_000;

/** The event source mapping of the consumer, and the environment of its function. */
const findConsumer = async (stage: string, lambda: LambdaClient) => {
  const { name } = await requireStack(stage);
  for (const { ResourceType, PhysicalResourceId: uuid } of await resourcesOf(name)) {
    if (ResourceType !== 'AWS::Lambda::EventSourceMapping' || uuid === undefined) continue;
    const { FunctionArn = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID: uuid }));
    const environment = await environmentOf(FunctionArn);
    if (environment[ENVIRONMENT.operation] === CONSUMER) return { uuid, environment };
  }
  throw new CommandError(`The stack ${name} has no ${CONSUMER}. Deploy this release first: npm run deploy`);
};

/** Replaced in tests. */
const SURROUNDINGS = {
  wait: (milliseconds: number): Promise<unknown> => sleep(milliseconds),
  print: (line: string): void => console.log(line),
};

type Wait = (typeof SURROUNDINGS)['wait'];

const setEnabled = async (lambda: LambdaClient, UUID: string, Enabled: boolean, wait: Wait) => {
  const stateIn = async (states: readonly string[]): Promise<void> => {
    for (;;) {
      const { State = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
      if (states.includes(State)) return;
      await wait(POLL_MS);
    }
  };
  // Lambda refuses to change a mapping that is still changing, such as after an interrupted run.
  await stateIn(['Enabled', 'Disabled']);
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  await stateIn([Enabled ? 'Enabled' : 'Disabled']);
};

/**
 * Recounts the last `days` days of a deployment while its consumer is paused. After a failure it stays paused, because
 * some counters may be rebuilt and others not: the next run completes the work and resumes.
 * Errors: `CommandError` if there is no such stage, the caller may not write to its table, or counting is still paused;
 * those of AWS before that.
 */
export const recountStage = async (
  stage: string,
  days: number,
  { wait, print } = SURROUNDINGS,
): Promise<Recount> => {
  const lambda = new LambdaClient({});
  const { uuid, environment } = await findConsumer(stage, lambda);
  await requireMayWrite(environment[ENVIRONMENT.table] ?? '');
  print(`Pausing ${CONSUMER}. If this is interrupted, run it again: it resumes at the end.`);
  await setEnabled(lambda, uuid, false, wait);
  const table = connectTable(environment);
  try {
    const until = new Date(Date.now() + MARGIN_MS);
    // By then, every request that began before `until` has been written.
    await wait(2 * MARGIN_MS);
    const done = await recount(table, days, until);
    await setEnabled(lambda, uuid, true, wait);
    return done;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${CONSUMER} is still paused. Run this again; it resumes at the end. (${reason})`);
  } finally {
    table.client.destroy();
  }
};
