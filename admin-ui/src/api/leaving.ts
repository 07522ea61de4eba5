import { type NavigateOptions, useRouter, useRouterState } from '@tanstack/react-router';

/** Whether the guarded input may be discarded; asks the operator if necessary. */
type Guard = () => Promise<boolean>;

const guards = new Map<Guard, number | undefined>();
let isFree = false;

/**
 * Asks `guard` before the operator signs out, or closes the dialog that it belongs to. Returns a function that removes
 * the guard.
 */
export const guardLeaving = (guard: Guard, dialog?: number): (() => void) => {
  guards.set(guard, dialog);
  return () => guards.delete(guard);
};

/** Whether all unsaved input may be discarded: on the page, or in one dialog. */
export const mayLeave = async (dialog?: number): Promise<boolean> => {
  // A guard that is registered again in the meantime is not asked twice.
  for (const [guard, place] of [...guards])
    if ((dialog === undefined || place === dialog) && !(await guard())) return false;
  return true;
};

/** Stops the browser from asking before the page unloads. */
export const leaveFreely = (): void => {
  isFree = true;
};

export const isLeavingFreely = (): boolean => isFree;

/** Returns a function that leads on from a screen after an action, unless the operator has gone elsewhere meanwhile. */
export const useLeadOn = () => {
  const router = useRouter();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  return async (to: NavigateOptions): Promise<void> => {
    if (router.latestLocation.pathname === here) await router.navigate(to);
  };
};
