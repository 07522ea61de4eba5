// Instances in the process of this Jest worker: modules are loaded there once instead of per test file.

import { readFileSync } from 'node:fs';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { connectSigningTable } from '../../../lambdas/store/signing/kms.ts';
import { vaultIn } from '../../../lambdas/store/vault/vault.ts';
import type { Instance, InstanceOptions } from '../../../local/instance.ts';
import { callsTo, type SharedInstance } from '../calls.ts';
import type { Beginning } from '../data-folder.ts';

/** The description of an instance that its process sends to a test file. */
export interface RemoteInstance {
  readonly firstRun: Instance['firstRun'];
  readonly dataFolder: string;
  /** The file that holds what the functions have logged. */
  readonly log: string;
  readonly environment: Instance['tableEnvironment'];
  readonly client: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;
  /** Address of the process. */
  readonly control: string;
}

/** Options of an instance. */
export type OpenOptions = Partial<InstanceOptions> & Beginning;

/** A call of a function of an instance. */
interface CallOf {
  readonly name: 'invoke' | 'addOperator' | 'settled';
  readonly dataFolder: string;
  readonly args: readonly unknown[];
}

/** The commands of the process. */
export type Call =
  | { readonly name: 'shared' }
  | { readonly name: 'browser' }
  | { readonly name: 'open'; readonly args: [OpenOptions] }
  | { readonly name: 'stop'; readonly dataFolder: string }
  | CallOf;

const postJson = async (url: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

const askProcess = async (call: Call): Promise<unknown> => {
  const { CUEVAULT_TEST_INSTANCES: broker, JEST_WORKER_ID: worker } = process.env;
  if (broker === undefined) throw new Error('Jest has not run test/support/global-setup.mjs.');
  const { control } = (await postJson(broker, { worker })) as { control: string };
  return postJson(control, call);
};

/** The address for Playwright of the browser that the test files of this Jest worker use. It starts with the first. */
export const browserAddress = async (): Promise<string> => (await askProcess({ name: 'browser' })) as string;

/** Asks the process for an instance, and connects to it. */
export const connect = async (
  call: Call,
): Promise<SharedInstance & { readonly stop: () => Promise<void> }> => {
  const { firstRun, dataFolder, log, control, environment, client } = (await askProcess(
    call,
  )) as RemoteInstance;
  const table = vaultIn(connectSigningTable(environment, client));
  const remotely =
    (name: CallOf['name']) =>
    (...args: readonly unknown[]): Promise<never> =>
      postJson(control, { name, dataFolder, args }) as Promise<never>;
  return {
    ...callsTo({ firstRun, table }),
    firstRun,
    dataFolder,
    table,
    get logs() {
      return readFileSync(log, 'utf8').split(/(?<=\n)/);
    },
    invoke: remotely('invoke'),
    addOperator: remotely('addOperator'),
    settled: remotely('settled'),
    stop: async () => {
      table.client.destroy();
      await postJson(control, { name: 'stop', dataFolder });
    },
  };
};
