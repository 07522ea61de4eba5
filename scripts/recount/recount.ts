// Recounts fetches of prompts and reads of secrets from the entries: npm run recount

import { existsSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { TABLE_NAME } from '../../local/aws/account.ts';
import { openDataFolder } from '../../local/data-folder.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { engineOptions } from '../../local/engine/table.ts';
import { dataFolderOf } from '../../local/settings.ts';
import { runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { counted } from '../counted.ts';
import { type Recount, recount, recountStage } from './counters.ts';

/** Including today and yesterday. Older counters expire after `accessDays`. */
const DAYS = 90;

const report = ({ days, entries, counters, removed }: Recount): string =>
  `Counted ${counted(entries, 'entry', 'entries')} of ${counted(days, 'day')} into ${counted(counters, 'counter')}; removed ${counted(removed, 'counter')} without entries.`;

const recountHere = async (days: number): Promise<string> => {
  const dataFolder = dataFolderOf(process.env);
  const file = path.join(dataFolder, 'table.sqlite');
  if (!existsSync(file)) {
    throw new CommandError(
      `There is no table in ${dataFolder}: set CUEVAULT_DATA, or name a stage with --stage.`,
    );
  }
  const folder = openDataFolder(dataFolder);
  try {
    const engine = await startEngine(file);
    try {
      const table = connectTable({ [ENVIRONMENT.table]: TABLE_NAME }, engineOptions(engine.endpoint));
      return report(await recount(table, days, new Date()));
    } finally {
      await engine.stop();
    }
  } finally {
    folder.release();
  }
};

const USAGE = `Usage: npm run recount [-- --stage prod] [--days ${DAYS}]

Counts fetches of prompts and reads of secrets again, from the entries in the table, and replaces the counters. Without --stage it works on
the data folder of "npm start", which must not be running; with --stage on a deployment, where counting pauses during the run.`;

const OPTIONS = { stage: { type: 'string' }, days: { type: 'string', default: String(DAYS) } } as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values: { stage, days } }) => {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new CommandError(`--days must be a number of days.\n\n${USAGE}`);
  return stage === undefined ? recountHere(Number(days)) : report(await recountStage(stage, Number(days)));
});
