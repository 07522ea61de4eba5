// npm run restore:rows -- --from-table NAME: puts back rows from a table that was restored from a point in time.
import { runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { restoreStage } from './rows.ts';

const USAGE = `Usage: npm run restore:rows -- --from-table NAME [--stage prod] [--dry-run]

Puts back the rows of a deployment that are missing or do not verify, as they are in a table that was restored from a point
in time. Rows that were changed since, operators, entries and counters stay as they are.

  --from-table NAME  the restored table
  --stage NAME       the deployment; without it, prod
  --dry-run          only list the rows`;

const OPTIONS = {
  'from-table': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  stage: { type: 'string', default: 'prod' },
} as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const { 'from-table': from, 'dry-run': dryRun, stage } = values;
  if (from === undefined) throw new CommandError(`Name the restored table.\n\n${USAGE}`);
  return restoreStage(stage, { from, dryRun });
});
