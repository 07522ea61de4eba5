import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { mockClient as mockForNow } from 'aws-sdk-client-mock';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { REGION } from '../../local/aws/account.ts';
import { recountStage } from '../../scripts/recount/counters.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { openTestTable, TEST_CREDENTIALS, type TestTable } from '../support/rows/table.ts';
import { accessOf, countUses, usageOf } from '../support/rows/usage.ts';

const lambda = mockClient(LambdaClient);
const cloudFormation = mockClient(CloudFormationClient);

let deployed: TestTable;
/** What happened to the mapping, in order. */
const steps: string[] = [];
let state = 'Enabled';

const environmentOf = (operation: string) => ({
  [ENVIRONMENT.operation]: operation,
  [ENVIRONMENT.table]: deployed.table.name,
});

beforeAll(async () => {
  deployed = await openTestTable();
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: deployed.endpoint,
    AWS_ACCESS_KEY_ID: TEST_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_CREDENTIALS.secretAccessKey,
  });
  cloudFormation.on(DescribeStacksCommand).resolves(described());
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolves({ StackResourceSummaries: [listed('AWS::DynamoDB::Table', 'table')], NextToken: 'next' })
    .on(ListStackResourcesCommand, { NextToken: 'next' })
    .resolves({
      StackResourceSummaries: ['changes', 'usage-count'].map((name) =>
        listed('AWS::Lambda::EventSourceMapping', name),
      ),
    });
  // The mapping of each function has its name.
  lambda
    .on(GetEventSourceMappingCommand)
    .callsFake(({ UUID }: { UUID: string }) => ({ FunctionArn: UUID, State: state }));
  lambda.on(GetFunctionConfigurationCommand).callsFake(({ FunctionName }: { FunctionName: string }) => ({
    Environment: { Variables: environmentOf(FunctionName) },
  }));
  lambda
    .on(UpdateEventSourceMappingCommand)
    .callsFake(({ UUID, Enabled }: { UUID: string; Enabled: boolean }) => {
      state = Enabled ? 'Enabling' : 'Disabling';
      steps.push(`${UUID}: ${state}`);
      return {};
    });
});
afterAll(() => deployed.stop());
beforeEach(() => {
  steps.length = 0;
});

const print = (line: string): void => expect(line).toMatch(/^Pausing usage-count\./);

/** Time passes only here: waiting completes a change of the mapping. */
const wait = async (): Promise<void> => {
  if (state.endsWith('ing')) state = state === 'Enabling' ? 'Enabled' : 'Disabled';
  else steps.push(`waited while ${state}`);
};

test('npm run recount -- --stage counts while the consumer is paused, and then resumes it', async () => {
  const { table } = deployed;
  const at = new Date();
  const { promptId } = await newPrompt(table);
  const use = { promptId, version: '1.0.0', apiKeyId: 'key' };
  for (let fetches = 0; fetches < 2; fetches++) await recordAccess(table, accessOf({ ...use, at }));
  await countUses(table, use, at, 7);
  expect(await recountStage('prod', 2, { wait, print })).toMatchObject({ entries: 2, counters: 1 });
  const counts = await usageOf(table, promptId, 2, at);
  expect(counts.map(({ count }) => count)).toEqual([2]);
  expect(steps).toEqual(['usage-count: Disabling', 'waited while Disabled', 'usage-count: Enabling']);
  expect(state).toBe('Enabled');
});

test('after a failed recount the consumer stays paused, the error says so, and the next run resumes it', async () => {
  const fail = async (): Promise<void> => {
    await wait();
    if (steps.at(-1) === 'waited while Disabled') throw new Error('The network is down.');
  };
  await expect(recountStage('prod', 1, { wait: fail, print })).rejects.toThrow(
    'usage-count is still paused. Run this again; it resumes at the end. (The network is down.)',
  );
  expect(state).toBe('Disabled');
  await recountStage('prod', 1, { wait, print });
  expect(state).toBe('Enabled');
});

test('a caller who may not write to the table is told so before counting pauses', async () => {
  const dynamodb = mockForNow(DynamoDBClient);
  dynamodb.on(DeleteItemCommand).rejects(Object.assign(new Error(), { name: 'AccessDeniedException' }));
  await expect(recountStage('prod', 1, { wait, print })).rejects.toThrow('-c repairRoleArn=');
  dynamodb.restore();
  expect(steps).toEqual([]);
});
