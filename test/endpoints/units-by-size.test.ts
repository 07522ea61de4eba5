import { isLong } from '../support/sampled.ts';
import { beyondBounds, costsWith } from '../support/scenarios/units.ts';

const PROMPTS = isLong ? 10_000 : 1_000;

test('what a call of an operator costs does not follow the number of prompts', async () => {
  expect(beyondBounds(await costsWith(PROMPTS))).toEqual([]);
}, 300_000);
