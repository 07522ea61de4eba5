/** The longest time that timers take; a longer one would be over at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds for a timer. */
export const timerMs = (ms: number): number => Math.min(ms, LONGEST_MS);
