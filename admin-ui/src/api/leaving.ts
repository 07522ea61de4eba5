/** Whether what it guards may be left behind; asks the operator where it must. */
type Guard = () => Promise<boolean>;

const guards = new Set<Guard>();
let isFree = false;

/** Has `guard` asked before the operator signs out. Returns how to take it away again. */
export const guardLeaving = (guard: Guard): (() => void) => {
  guards.add(guard);
  return () => guards.delete(guard);
};

/** Whether all that is typed on the page may be left behind. */
export const mayLeave = async (): Promise<boolean> => {
  // A guard that is put in its own place again meanwhile is not asked twice.
  for (const guard of [...guards]) if (!(await guard())) return false;
  return true;
};

/** From now on the browser does not ask any more before the page goes. */
export const leaveFreely = (): void => {
  isFree = true;
};

export const isLeavingFreely = (): boolean => isFree;
