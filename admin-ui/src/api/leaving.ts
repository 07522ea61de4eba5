/** Whether the guarded input may be discarded; asks the operator if necessary. */
type Guard = () => Promise<boolean>;

const guards = new Set<Guard>();
let isFree = false;

/** Asks `guard` before the operator signs out. Returns a function that removes the guard. */
export const guardLeaving = (guard: Guard): (() => void) => {
  guards.add(guard);
  return () => guards.delete(guard);
};

/** Whether all unsaved input on the page may be discarded. */
export const mayLeave = async (): Promise<boolean> => {
  // A guard that is registered again in the meantime is not asked twice.
  for (const guard of [...guards]) if (!(await guard())) return false;
  return true;
};

/** A function that closes a dialog, unless the operator wants to keep unsaved input in it. */
export const closing = (close: () => void) => () => void mayLeave().then((may) => may && close());

/** Stops the browser from asking before the page unloads. */
export const leaveFreely = (): void => {
  isFree = true;
};

export const isLeavingFreely = (): boolean => isFree;
