import { createRecentRows } from '../../../lambdas/store/batched-reads.ts';
import { WIDE_SHARDS } from '../../../lambdas/store/entry-shards.ts';
import { fractionsFrom } from '../../support/random.ts';
import type { HotCall, TableAccess } from '../hot-calls.ts';

/** What AWS allows (documentation of DynamoDB, Lambda and API Gateway, November 2025), and what the stack sets. */
export interface Limits {
  /** Units a second that one partition key serves. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The limit of function instances, and how many are added every ten seconds. */
  readonly concurrency: number;
  readonly growth: number;
  /** Requests a second that API Gateway admits. */
  readonly gateway: number;
  /** Units a second of the whole table. */
  readonly tableUnits: number;
}

export interface Load {
  readonly call: HotCall;
  /** Calls a second that are reached after `rampSeconds`, and kept for `seconds`. */
  readonly perSecond: number;
  readonly rampSeconds: number;
  readonly seconds: number;
  /** How long an instance works on a call without waiting for throttled partitions. */
  readonly callMs: number;
  readonly shards: number;
  readonly limits: Limits;
  /** Whether containers use recent rows and more shards; without, throttled calls fail after the SDK's three attempts. */
  readonly protects: boolean;
}

/** The outcome at the full rate; refused calls are counted by what refused them. */
export interface Outcome {
  readonly calls: number;
  readonly refusedBy: ReadonlyMap<string, number>;
  /** The oldest row that a call was answered from, in milliseconds. */
  readonly oldestMs: number;
  /**
   * By partition key of a row: how long after it changed, at the full rate, a call still used the earlier row, in
   * milliseconds. Rows that are always read again are absent: their changes are seen at once.
   */
  readonly lateMs: ReadonlyMap<string, number>;
  readonly instances: number;
}

const TICK_MS = 10;

/** Units that may be spent: those of one second at most, refilled with time. */
const createBudget = (perSecond: number) => {
  let left = perSecond / 10;
  return {
    refill: () => {
      left = Math.min(perSecond / 10, left + (perSecond * TICK_MS) / 1_000);
    },
    spend: (units: number): boolean => {
      if (left < units) return false;
      left -= units;
      return true;
    },
  };
};

interface Instance {
  busyUntil: number;
  readonly recent: ReturnType<typeof createRecentRows<number>>;
  isWide: boolean;
  isCold: boolean;
  /** The accesses that its call still has to make, and how often the first was tried. */
  left: readonly TableAccess[];
  attempts: number;
}

/** Runs a load against the model of partitions, instances and their memory, in steps of ten milliseconds. */
export const simulate = (load: Load): Outcome => {
  const { call, limits, protects } = load;
  const random = fractionsFrom(1);
  let now = 1_000;
  const reads = new Map<string, ReturnType<typeof createBudget>>();
  const writes = new Map<string, ReturnType<typeof createBudget>>();
  const table = createBudget(limits.tableUnits);
  const budgetOf = (budgets: typeof reads, name: string, perSecond: number) => {
    const budget = budgets.get(name) ?? createBudget(perSecond);
    budgets.set(name, budget);
    return budget;
  };
  const serves = (pk: string, isWrite: boolean, units: number): boolean =>
    (isWrite ? budgetOf(writes, pk, limits.writeUnits) : budgetOf(reads, pk, limits.readUnits)).spend(
      units,
    ) && table.spend(units);

  const instances: Instance[] = [];
  let growthLeft = limits.growth;
  const refusedBy = new Map<string, number>();
  let calls = 0;
  let oldestMs = 0;
  // A second into the full rate, every row that calls read changes: a publish and a revocation at once.
  const changedAt = now + (load.rampSeconds + 1) * 1_000;
  const lateMs = new Map<string, number>();
  const refuse = (by: string, counts: boolean) => {
    if (counts) refusedBy.set(by, (refusedBy.get(by) ?? 0) + 1);
  };

  const use = (pk: string, row: number): true => {
    oldestMs = Math.max(oldestMs, now - row);
    if (now >= changedAt && row < changedAt) lateMs.set(pk, now - changedAt);
    return true;
  };

  /** Tries to read a row as the functions do. */
  const read = ({ recent }: Instance, { pk, units }: TableAccess): boolean => {
    const cachedWhileThrottled = protects ? recent.cachedWhileThrottled(pk) : undefined;
    if (cachedWhileThrottled !== undefined) return use(pk, cachedWhileThrottled);
    if (serves(pk, false, units)) {
      recent.keep(pk, now, now);
      return true;
    }
    const own = protects ? recent.throttled(pk) : undefined;
    return own === undefined ? false : use(pk, own);
  };

  const write = (instance: Instance, { pk, units }: TableAccess): boolean => {
    const source = pk.replace(/#\d+$/, '');
    const shards = instance.isWide ? WIDE_SHARDS : load.shards;
    if (serves(`${source}#${Math.floor(random() * shards)}`, true, units)) return true;
    if (protects && !instance.isWide) instance.isWide = serves(`ENTRY-SHARDS#${source}`, true, 1);
    return false;
  };

  /** Continues the call of an instance until it ends, fails or has to wait. */
  const advance = (instance: Instance, counts: boolean): void => {
    for (let [next] = instance.left; next !== undefined; [next] = instance.left) {
      if (!(next.isWrite ? write(instance, next) : read(instance, next))) {
        instance.attempts += 1;
        const [most, base, longest] = protects ? [7, 10, 320] : [3, 250, 20_000];
        if (instance.attempts === most) {
          refuse(`${next.isWrite ? 'writes' : 'reads'} of ${next.pk.split('#')[0]}`, counts);
          instance.left = [];
        } else instance.busyUntil = now + random() * Math.min(longest, base * 2 ** instance.attempts);
        return;
      }
      instance.attempts = 0;
      instance.left = instance.left.slice(1);
      if (instance.left.length === 0) instance.busyUntil = now + load.callMs + (instance.isCold ? 500 : 0);
    }
    instance.isCold = false;
  };

  const run = (instance: Instance, counts: boolean): void => {
    instance.left = instance.isCold ? call.cold : call.warm;
    instance.attempts = 0;
    advance(instance, counts);
  };

  const start = (): Instance | undefined => {
    if (growthLeft < 1 || instances.length >= limits.concurrency) return undefined;
    growthLeft -= 1;
    const recent = createRecentRows<number>({ now: () => now, random });
    const instance = { busyUntil: 0, recent, isWide: false, isCold: true, left: [], attempts: 0 };
    instances.push(instance);
    return instance;
  };

  const end = (load.rampSeconds + load.seconds) * 1_000;
  let due = 0;
  for (let t = 0; t < end; t += TICK_MS, now += TICK_MS) {
    const counts = t >= load.rampSeconds * 1_000;
    for (const budget of [...reads.values(), ...writes.values(), table]) budget.refill();
    growthLeft = Math.min(limits.growth, growthLeft + (limits.growth * TICK_MS) / 10_000);
    due += (load.perSecond * Math.min(1, t / 1_000 / load.rampSeconds) * TICK_MS) / 1_000;
    let admitted = (limits.gateway * TICK_MS) / 1_000;
    const ready = instances.filter(({ busyUntil }) => busyUntil <= now);
    for (const instance of ready) if (instance.left.length > 0) advance(instance, counts);
    const free = ready.filter(({ left, busyUntil }) => left.length === 0 && busyUntil <= now);
    for (; due >= 1; due -= 1) {
      if (counts) calls += 1;
      if (admitted < 1) {
        refuse('API Gateway', counts);
        continue;
      }
      admitted -= 1;
      const instance = free.pop() ?? start();
      if (instance === undefined) refuse('concurrency of Lambda', counts);
      else run(instance, counts);
    }
  }
  return { calls, refusedBy, oldestMs, lateMs, instances: instances.length };
};
