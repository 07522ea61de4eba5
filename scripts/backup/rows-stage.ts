import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backupRestore } from '../../contract/functions/commands.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { environmentOf, functionsOf } from '../aws/functions.ts';
import { CommandError } from '../aws/stack.ts';
import { requireMayWrite } from '../aws/table-access.ts';
import { counted } from '../counted.ts';
import { restoreRows } from './rows.ts';

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

/**
 * Restores rows of a deployment from a restored table, and reports each. Errors: `CommandError` if there is no such stage or
 * table, or the caller may not write; those of AWS and of `restoreRows`.
 */
export const restoreStage = async (
  stage: string,
  { from, dryRun }: { readonly from: string; readonly dryRun: boolean },
): Promise<string> => {
  const environment = await environmentOf((await functionsOf(stage))(backupRestore.id));
  const live = connectTable(environment);
  const since = await timeOf(from, live.name);
  if (!dryRun) await requireMayWrite(live.name);
  const { written, left } = await restoreRows(
    live,
    { ...live, name: from },
    { since, now: new Date(), dryRun },
  );
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
};
