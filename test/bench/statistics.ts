import type { Figure } from './figures.ts';

/** The middle of some values, or the mean of the two in the middle. */
const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** Does something and returns a measurement of it. */
type Measure = () => Promise<number>;

/** Measures several things `rounds` times, in turns: other load on the machine affects all of them equally. */
export const inTurns = async <Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, Measure>>,
): Promise<Record<Name, number>> => {
  const names = Object.keys(measures) as Name[];
  const values = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Every other round runs in reverse, so that none always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      values.get(name)?.push(await measures[name]());
    }
  }
  return Object.fromEntries([...values].map(([name, measured]) => [name, median(measured)])) as Record<
    Name,
    number
  >;
};

/** Does something so many times, one after the other, or some at once. */
export const times =
  (count: number, work: () => Promise<unknown>, atOnce = 1) =>
  async (): Promise<void> => {
    for (let i = 0; i < count; i += atOnce) await Promise.all(Array.from({ length: atOnce }, work));
  };

/** Measures how long something takes, in milliseconds. */
export const elapsed =
  (work: () => Promise<unknown>): Measure =>
  async () => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };

/** Measures the processor time of this process for something, in milliseconds. */
export const processorTime =
  (work: () => Promise<unknown>): Measure =>
  async () => {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };

/** How often, in turns, `ownTime` measures so many calls. */
interface Repeated {
  readonly warmUp: number;
  readonly rounds: number;
  readonly calls: number;
  readonly atOnce?: number;
}

/** The processor time of a call beyond that of the bare calls that it makes. */
export const ownTime = async (
  name: string,
  [call, bare]: readonly [() => Promise<unknown>, () => Promise<unknown>],
  bound: number,
  { warmUp, rounds, calls, atOnce }: Repeated,
): Promise<Figure> => {
  const measures = {
    own: processorTime(times(calls, call, atOnce)),
    floor: processorTime(times(calls, bare, atOnce)),
  };
  await inTurns(warmUp, measures);
  const { own, floor } = await inTurns(rounds, measures);
  return {
    name: `${name}: own processor time`,
    measured: (own - floor) / calls,
    bound,
    unit: 'ms',
    from: `${(own / calls).toFixed(2)} ms less ${(floor / calls).toFixed(2)} ms of its bare calls, medians of ${rounds} × ${calls}`,
  };
};
