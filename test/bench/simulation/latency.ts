import { fractionsFrom } from '../../support/random.ts';
import type { HotCall, Steps } from '../hot-calls.ts';

/** Median and 99th percentile in milliseconds; in between and beyond, logarithms are normally distributed. */
type Spread = readonly [median: number, p99: number];

// Assumed, because only an account can show them: the region's services, and a function of 512 MB.
const DYNAMODB: Spread = [4, 14];
const KMS: Spread = [8, 40];
const CONNECTION: Spread = [10, 35];
const OWN: Spread = [3, 8];
const OWN_COLD: Spread = [30, 60];
const START: Spread = [280, 600];

const KMS_OPERATIONS = ['Decrypt'];
const CALLS = 100_000;
const Z_99 = 2.326;

/** How the calls of a container are made: `deployed`, or one after the other over connections that they open. */
export type Way = 'deployed' | 'one by one';

export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Draws the latencies of many calls, the same ones in each run. Milliseconds, without the network of the caller. */
export const latencyOf = ({ steps }: HotCall, container: 'warm' | 'cold', way: Way): Latency => {
  const random = fractionsFrom(7);
  const draw = ([median, p99]: Spread): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return median * Math.exp((normal * Math.log(p99 / median)) / Z_99);
  };
  const isCold = container === 'cold';
  const planned: Steps =
    way === 'deployed' ? steps[container] : steps[container].flat().map((operation) => [operation]);
  const services = new Set(steps[container].flat().map((operation) => KMS_OPERATIONS.includes(operation)));
  const once = (): number => {
    let total = draw(OWN);
    if (isCold) total += draw(START) + draw(OWN_COLD);
    if (isCold && way === 'one by one') for (const _ of services) total += draw(CONNECTION);
    for (const step of planned)
      total += Math.max(
        ...step.map((operation) => draw(KMS_OPERATIONS.includes(operation) ? KMS : DYNAMODB)),
      );
    return total;
  };
  const sorted = Array.from({ length: CALLS }, once).sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(CALLS * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
};
