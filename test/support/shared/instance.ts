// How to write an endpoint test
//
//   let instance: SharedInstance;
//   beforeAll(async () => {
//     instance = await sharedInstance();
//   });
//
//   test('a draft is kept until it is published', async () => {
//     const { promptId } = await aPrompt(instance);                               // a new one for each test
//     await ask(instance, draftsSave, { params: { promptId }, body: { prompt: 'x' } });
//     const sentence = await refused(instance, draftsSave, 'prompt_not_found', { params: { promptId: 'prm_x' }, body });
//   });
//
// - `ask` calls an endpoint for operators that must succeed, and checks the reply against the contract; `refused` one that
//   must fail with a code; `send` either (`../admin.ts`). `instance.post` calls an endpoint for applications.
// - `aPrompt`, `fetchPrompt`, `aSecret`, `readSecrets` make what operators find (`../admin-world.ts`). What the table
//   holds can be prepared and read with the functions of `lambdas/store` on `instance.table`.
// - The instance runs in a process of its own, and all test files of a Jest worker use it, one after the other. Look
//   for what the test has made, by its id, a name of its own or a new API key (`instance.newKey()`), and expect others'
//   prompts, secrets, keys and audit entries beside it.
// - Counters, last uses and last reads follow a moment later: await `instance.settled()` before looking at them.
// - A test that needs an empty instance, samples, or a fault between the functions and the engine opens its
//   own with `openInstance` (`../instance.ts`), and stops it.
// - Who may call an endpoint is tested for all of them in one place: `test/endpoints/operators.test.ts`.
import { readFileSync } from 'node:fs';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { connectSigningTable } from '../../../lambdas/store/signing/kms.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import type { Instance } from '../../../local/instance.ts';
import { callsTo, type SharedInstance } from '../calls.ts';

export type { SharedInstance } from '../calls.ts';

/** What a process that runs an instance tells those who share it. */
export interface Shared {
  readonly firstRun: Instance['firstRun'];
  readonly dataFolder: string;
  /** The file that holds what the functions have logged. */
  readonly log: string;
  readonly environment: Instance['tableEnvironment'];
  readonly client: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;
  /** Where it takes calls of functions and new operators. */
  readonly control: string;
}

const getJson = async (url: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

const opened: Table[] = [];
afterAll(() => {
  for (const { documents } of opened) documents.destroy();
});

/** The instance that the test files of this Jest worker share. It starts with the first that needs it. */
export const sharedInstance = async (): Promise<SharedInstance> => {
  const { CUEVAULT_TEST_INSTANCES: instances, JEST_WORKER_ID: worker } = process.env;
  if (instances === undefined) throw new Error('Jest has not run test/support/global-setup.mjs.');
  const { firstRun, dataFolder, log, control, environment, client } = (await getJson(instances, {
    worker,
  })) as Shared;
  const table = connectSigningTable(environment, client);
  opened.push(table);
  const call =
    (name: string) =>
    (...args: unknown[]) =>
      getJson(control, { name, args });
  return {
    ...callsTo({ firstRun, table }),
    firstRun,
    dataFolder,
    table,
    get logs() {
      return readFileSync(log, 'utf8').split(/(?<=\n)/);
    },
    invoke: call('invoke') as Instance['invoke'],
    settled: call('settled') as Instance['settled'],
    addOperator: call('addOperator') as Instance['addOperator'],
  };
};
