import { type Figure, proportion } from './figures.ts';
import { elapsed, inTurns } from './statistics.ts';

const WARM_UP = 300;
const BOUND = 1.25;

type Call = () => Promise<unknown>;

/** The ratio of the times of two calls, measured in turns; at most 1.25. */
export const inPairs = async (name: string, calls: number, one: Call, other: Call): Promise<Figure> => {
  const measures = { one: elapsed(one), other: elapsed(other) };
  await inTurns(WARM_UP, measures);
  const times = await inTurns(calls, measures);
  return proportion(name, [times.one, times.other], BOUND, `medians of ${calls} pairs of calls`);
};
