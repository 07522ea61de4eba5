import type { Behaviour } from '../behaviour.ts';
import { ANSWERS } from './answers.ts';
import { BREAKER } from './breaker.ts';
import { CACHE } from './cache.ts';
import { CHATS } from './chat.ts';
import { COPIES } from './copies.ts';
import { EVENTS } from './events.ts';
import { FAULTS } from './faults.ts';
import { HELPERS } from './helpers.ts';
import { OPTIONS } from './options.ts';
import { OUTAGES } from './outages.ts';
import { STALENESS } from './staleness.ts';

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
  ...CHATS,
  ...COPIES,
];
