// npm run restore:rows -- --from-table NAME: puts back rows from a table that was restored from a point in time.
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backupRestore } from '../../contract/functions/commands.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { runWithArguments } from '../aws/command.ts';
import { environmentOf, functionsOf } from '../aws/functions.ts';
import { CommandError } from '../aws/stack.ts';
import { requireMayWrite } from '../aws/table-access.ts';
import { counted } from '../counted.ts';
import { restoreRows } from './rows.ts';

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

/** The time of a restored table. Errors: `CommandError` if it is not one, or of another table; those of DynamoDB. */
const timeOf = async (TableName: string, live: string): Promise<Date> => {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName }));
  const { RestoreDateTime, SourceTableArn, RestoreInProgress } = Table?.RestoreSummary ?? {};
  if (RestoreDateTime === undefined || SourceTableArn?.endsWith(`:table/${live}`) !== true)
    throw new CommandError(`${TableName} was not restored from ${live}, the table of the stack.`);
  if (RestoreInProgress === true)
    throw new CommandError(
      `${TableName} is still being restored. Wait for it: aws dynamodb wait table-exists`,
    );
  return RestoreDateTime;
};

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const { 'from-table': name, 'dry-run': dryRun, stage } = values;
  if (name === undefined) throw new CommandError(`Name the restored table.\n\n${USAGE}`);
  const environment = await environmentOf((await functionsOf(stage))(backupRestore.id));
  const live = connectTable(environment);
  const since = await timeOf(name, live.name);
  if (!dryRun) await requireMayWrite(live.name);
  const copy = { ...live, name };
  const { written, left } = await restoreRows(live, copy, { since, now: new Date(), dryRun });
  const containers = Number(environment[ENVIRONMENT.containers] ?? 1) + 1;
  return [
    ...left.map((line) => `left: ${line}`),
    ...written.map((line) => `${dryRun ? 'would put back' : 'put back'}: ${line}`),
    `${counted(written.length, 'row')} of the table as it was at ${since.toISOString()}.`,
    ...(dryRun || written.length === 0
      ? []
      : [
          `Containers may have seen later revisions: npm run deploy -- -c stage=${stage} -c containers=${containers}`,
        ]),
  ].join('\n');
});
