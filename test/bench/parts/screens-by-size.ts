import { costsWith } from '../../support/scenarios/units.ts';
import type { Figure } from '../figures.ts';

const SIZES = [100, 1_000, 10_000, 100_000];

/** The capacity units of screens and changes, with numbers of prompts that are written directly into the table. */
export const screensBySize = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const prompts of SIZES)
    for (const { what, calls, read, written, most } of await costsWith(prompts))
      figures.push({
        name: `${what}, ${prompts} prompts`,
        measured: most.written === undefined ? read : written,
        bound: most.written ?? most.read ?? Number.POSITIVE_INFINITY,
        unit: 'units',
        from: `${calls} calls, ${read} read, ${written} written`,
      });
  return figures;
};
