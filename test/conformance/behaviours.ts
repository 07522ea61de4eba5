import type { Behaviour } from './behaviour.ts';
import { ANSWERS } from './behaviours-answers.ts';
import { BREAKER } from './behaviours-breaker.ts';
import { CACHE } from './behaviours-cache.ts';
import { EVENTS } from './behaviours-events.ts';
import { FAULTS } from './behaviours-faults.ts';
import { HELPERS } from './behaviours-helpers.ts';
import { OPTIONS } from './behaviours-options.ts';
import { OUTAGES } from './behaviours-outages.ts';
import { STALENESS } from './behaviours-staleness.ts';

/** The behaviours of every client, in any language. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...ANSWERS,
  ...HELPERS,
  ...FAULTS,
  ...CACHE,
  ...OUTAGES,
  ...BREAKER,
  ...STALENESS,
  ...OPTIONS,
  ...EVENTS,
];
