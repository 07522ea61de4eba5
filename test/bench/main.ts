// npm run bench: measures the figures that have bounds. `npm run bench -- warm` measures those of one file.
import { boxes } from './boxes.ts';
import { bundles } from './bundles.ts';
import { clients } from './clients.ts';
import { cold } from './cold.ts';
import { cost } from './cost.ts';
import { type Figure, isReached, tableHead, tableRow } from './figures.ts';
import { growth } from './growth.ts';
import { load } from './load.ts';
import { local } from './local.ts';
import { refused } from './refused.ts';
import { screens } from './screens.ts';
import { start } from './start.ts';
import { warm } from './warm.ts';
import { warmVault } from './warm-vault.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  bundles,
  load,
  boxes,
  warm,
  'warm-vault': warmVault,
  cold,
  growth,
  refused,
  cost,
  local,
  start,
  screens,
  clients,
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

const reached = await run(process.argv[2] ?? '');
// Open connections of the functions would keep the process alive.
process.exit(reached ? 0 : 1);
