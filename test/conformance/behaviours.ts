import type { Behaviour } from './behaviour.ts';
import { ANSWERS } from './behaviours-answers.ts';
import { CACHE } from './behaviours-cache.ts';
import { FAULTS } from './behaviours-faults.ts';
import { HELPERS } from './behaviours-helpers.ts';
import { OUTAGES } from './behaviours-outages.ts';

/** What every client does, whatever its language. */
export const BEHAVIOURS: readonly Behaviour[] = [...ANSWERS, ...HELPERS, ...FAULTS, ...CACHE, ...OUTAGES];
