// npm run bench: measures the figures that have bounds. `npm run bench -- warm` measures those of one file.

import { runWithArguments } from '../../scripts/aws/command.ts';
import { CommandError } from '../../scripts/aws/stack.ts';
import { type Figure, isReached, tableHead, tableRow } from './figures.ts';
import { bundles } from './parts/bundles.ts';
import { cost } from './parts/cost.ts';
import { load } from './parts/load.ts';
import { local } from './parts/local.ts';
import { screens } from './parts/screens.ts';
import { screensBySize } from './parts/screens-by-size.ts';
import { refused, warm, warmVault } from './parts/warm.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  bundles,
  load,
  warm,
  'warm-vault': warmVault,
  refused,
  local,
  cost,
  'screens-by-size': screensBySize,
  screens,
};

const run = async (filter: string): Promise<boolean> => {
  let reached = true;
  console.log(tableHead());
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (!name.includes(filter)) continue;
    for (const figure of await bench()) {
      console.log(tableRow(figure));
      reached &&= isReached(figure);
    }
  }
  return reached;
};

const USAGE = `Usage: npm run bench [-- PART]

Measures the figures that have bounds, or those of the parts whose names contain PART: ${Object.keys(BENCHES).join(', ')}.`;

await runWithArguments(
  { usage: USAGE, options: {}, counts: [0, 1] },
  async ({ positionals: [part = ''] }) => {
    if (!Object.keys(BENCHES).some((name) => name.includes(part)))
      throw new CommandError(`There is no part "${part}".\n\n${USAGE}`);
    if (!(await run(part))) process.exitCode = 1;
    return undefined;
  },
);
// Open connections of the functions would keep the process alive.
process.exit();
