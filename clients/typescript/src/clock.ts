/** Jumps of the wall clock below this are corrections, in milliseconds. */
const TOLERANCE_MS = 1_000;

let asleepMs = 0;
let known: number | undefined;

/**
 * Milliseconds on a clock that never goes back, and that includes the time in which the process was frozen: the monotonic
 * clock stands still in a frozen Lambda function while the wall clock does not, and the wall clock can be set back.
 */
export const now = (): number => {
  const steady = performance.now();
  const lead = Date.now() - steady;
  const ahead = lead - (known ?? lead);
  if (ahead > TOLERANCE_MS) asleepMs += ahead;
  if (known === undefined || ahead > TOLERANCE_MS || ahead < 0) known = lead;
  return steady + asleepMs;
};
