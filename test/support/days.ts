import { dayOf, daysAfter } from '../../lambdas/core/days.ts';

/** The time so many days ago. */
export const daysAgo = (days: number): Date => daysAfter(new Date(), -days);

/** Does what has to fall on one day (UTC), again if midnight passes meanwhile, and returns it with the day. */
export const onOneDay = async <Done extends object>(
  act: () => Promise<Done>,
): Promise<Done & { readonly day: string }> => {
  for (;;) {
    const day = dayOf(new Date());
    const done = await act();
    if (dayOf(new Date()) === day) return { ...done, day };
  }
};
