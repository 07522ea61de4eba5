import { isLong } from '../support/sampled.ts';
import { beyondBounds, costsWith } from '../support/scenarios/units.ts';

// Prompts, and how many of them were used.
const [PROMPTS, USED] = isLong ? [10_000, 10_000] : [1_000, 300];

test('what a call of an operator costs does not follow the number of prompts', async () => {
  expect(beyondBounds(await costsWith(PROMPTS, USED))).toEqual([]);
}, 300_000);
