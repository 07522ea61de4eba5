// Recounts fetches and releases from the entries: npm run recount
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../contract/functions/environment.ts';
import { connectTable } from '../lambdas/store/table.ts';
import { type Recount, recount } from '../lambdas/store/usage/recount.ts';
import { REGION, TABLE_NAME } from '../local/aws/account.ts';
import { openDataFolder } from '../local/data-folder.ts';
import { startEngine } from '../local/engine/engine.ts';
import { ENGINE_CREDENTIALS } from '../local/engine/table.ts';
import { dataFolderOf } from '../local/settings.ts';
import { runCommand } from './aws/command.ts';
import { CommandError, requireStack } from './aws/stack.ts';

const CONSUMER = 'usage-count';
/** Including today and yesterday. Older counters expire after `accessDays`. */
const DAYS = 90;
const POLL_MS = 5_000;
/** Requests end after 15 seconds, and clocks differ by a few seconds at most. */
const MARGIN_MS = 60_000;

const report = ({ days, entries, counters, removed }: Recount): string =>
  `Counted ${entries} entries of ${days} days into ${counters} counters; removed ${removed} counters without entries.`;

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
      const { endpoint } = engine;
      const table = connectTable(
        { [ENVIRONMENT.table]: TABLE_NAME },
        { endpoint, region: REGION, credentials: ENGINE_CREDENTIALS },
      );
      return report(await recount(table, days, new Date()));
    } finally {
      await engine.stop();
    }
  } finally {
    folder.release();
  }
};

/** The event source mapping of the consumer, and the environment of its function. */
const findConsumer = async (stage: string, lambda: LambdaClient) => {
  const { name } = await requireStack(stage);
  const client = new CloudFormationClient({});
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListStackResourcesCommand({ StackName: name, ...(NextToken ? { NextToken } : {}) }),
    );
    NextToken = page.NextToken;
    for (const { ResourceType, PhysicalResourceId: uuid } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== 'AWS::Lambda::EventSourceMapping' || uuid === undefined) continue;
      const { FunctionArn } = await lambda.send(new GetEventSourceMappingCommand({ UUID: uuid }));
      const found = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: FunctionArn }));
      const environment = found.Environment?.Variables ?? {};
      if (environment[ENVIRONMENT.operation] === CONSUMER) return { uuid, environment };
    }
  } while (NextToken !== undefined);
  throw new CommandError(`The stack ${name} has no ${CONSUMER}. Deploy this release first: npm run deploy`);
};

const setEnabled = async (lambda: LambdaClient, UUID: string, Enabled: boolean): Promise<void> => {
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  const wanted = Enabled ? 'Enabled' : 'Disabled';
  while ((await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State !== wanted)
    await sleep(POLL_MS);
};

const recountStage = async (stage: string, days: number): Promise<string> => {
  const lambda = new LambdaClient({});
  const { uuid, environment } = await findConsumer(stage, lambda);
  console.log(`Pausing ${CONSUMER}. If this is interrupted, run it again: it resumes at the end.`);
  await setEnabled(lambda, uuid, false);
  const until = new Date(Date.now() + MARGIN_MS);
  // By then, every request that began before `until` has been written.
  await sleep(2 * MARGIN_MS);
  const done = await recount(connectTable(environment), days, until);
  await setEnabled(lambda, uuid, true);
  return report(done);
};

const USAGE = `Usage: npm run recount [-- --stage prod] [--days ${DAYS}]

Counts fetches and releases again, from the entries in the table, and replaces the counters. Without --stage it works on
the data folder of "npm start", which must not be running; with --stage on a deployment, where counting pauses during the run.`;

await runCommand(async () => {
  const { stage, days, help } = parseArgs({
    options: {
      stage: { type: 'string' },
      days: { type: 'string', default: String(DAYS) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
  if (help) return USAGE;
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new CommandError(`--days must be a number of days.\n${USAGE}`);
  return stage === undefined ? recountHere(Number(days)) : recountStage(stage, Number(days));
});
