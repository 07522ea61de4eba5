import { existsSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT } from '../contract/functions/environment.ts';
import { connectSigningTable } from '../lambdas/store/signing/kms.ts';
import type { Table } from '../lambdas/store/table.ts';
import { KEY_ARNS, REGION, TABLE_NAME } from './aws/account.ts';
import { createCloudWatch } from './aws/cloudwatch.ts';
import { createCognito } from './aws/cognito.ts';
import { type AwsEndpoint, type AwsEndpointOptions, startAwsEndpoint } from './aws/endpoint.ts';
import { createEventBridge } from './aws/events.ts';
import { createKms, type Kms, publicKeyOf } from './aws/kms.ts';
import { createLambda } from './aws/lambda.ts';
import { createS3 } from './aws/s3.ts';
import { openDataFolder } from './data-folder.ts';
import { type Engine, startEngine, whileRunning } from './engine/engine.ts';
import { ensureTable } from './engine/table.ts';
import { type Feed, startFeed } from './feed/feed.ts';
import { type FirstRunResult, firstRun, isStarted } from './first-run.ts';
import { createFunctions, invokeWith } from './functions/create.ts';
import type { Outcome } from './functions/functions.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { createJwtAuthorizer } from './gateway/jwt-authorizer.ts';
import { originAt } from './gateway/localhost.ts';
import { createRouter } from './gateway/routes.ts';
import { createStaticSite } from './gateway/static-site.ts';
import { createThrottle } from './gateway/throttle.ts';
import { type Identity, openIdentity } from './identity/identity.ts';
import { mailTo } from './identity/mail.ts';
import type { Operators } from './identity/operators.ts';
import { IDENTITY_PATH, keysAt } from './identity/provider.ts';
import { createResources, runAfterDeployment, runJobWith, scheduleJobs } from './jobs.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { assemble } from './template/assembly.ts';
import { readOwnTemplate, type Template } from './template/template.ts';
import { openWebhook } from './webhook/webhook.ts';

type Required = Pick<Settings, 'dataFolder' | 'port' | 'sample'>;

export interface InstanceOptions extends Required, Partial<Omit<Settings, keyof Required>> {
  /** Receives each line that a function logs, and each call that its policy denies. */
  readonly onLog: (line: string) => void;
  /**
   * When the functions that consume the table's stream run. For tests, `on-settled` holds the stream until `settled` is
   * called: a test that reads derived data without waiting for it then fails always, not only on a slow machine.
   * @default 'after-writes'
   */
  readonly consumes?: 'after-writes' | 'on-settled';
  /** For tests: observes or answers each call to the engine and to KMS. */
  readonly hooks?: Pick<AwsEndpointOptions, 'before' | 'intercept' | 'onConsumed'>;
}

/** A running Cuevault. */
export interface Instance {
  readonly firstRun: FirstRunResult;
  /** The table with the runner's own access, which no policy limits. */
  readonly table: Table;
  /** The environment variables that connect to the table. */
  readonly tableEnvironment: Readonly<Record<string, string>>;
  readonly aws: AwsEndpoint;
  /** Resolves with a message if the engine ends unexpectedly. Nothing works after that. */
  readonly engineEnded: Engine['ended'];
  readonly invoke: (operationId: string, event: unknown) => Promise<Outcome>;
  /**
   * Resolves when the jobs that operators started are done, and counters, last uses and all other data derived from the
   * table's stream include everything written before the call. Rejects if a consumer of the stream fails.
   */
  readonly settled: () => Promise<void>;
  /** Adds an operator as a member of the groups. */
  readonly addOperator: Operators['add'];
  readonly stop: () => Promise<void>;
}

// The environment of a function that signs rows, because the runner may, too.
const environmentOfTable = ({ functions }: Template): Record<string, string> =>
  functions.find(({ environment }) => ENVIRONMENT.signingKeyArn in environment)?.environment ?? {};

const runnerTable = (environment: Record<string, string>, aws: AwsEndpoint): Table =>
  connectSigningTable(environment, {
    endpoint: aws.url,
    region: REGION,
    credentials: aws.runnerCredentials,
  });

// Creating a new key would only hide that the existing secrets can no longer be decrypted.
const requireKeyOfTable = ({ key, table }: { readonly key: string; readonly table: string }): void => {
  if (!existsSync(table) || existsSync(key)) return;
  throw new StartError(
    `${key} is missing: without it, no secret in this data folder can be decrypted. Restore it, or move the folder away to start over.`,
  );
};

type Undo = () => unknown;

const undoAll = async (undo: Undo[]): Promise<void> => {
  for (const step of undo.splice(0).reverse()) await step();
};

/** The services that the functions use. */
interface Base {
  readonly dataFolder: string;
  readonly origin: string;
  readonly gateway: Gateway;
  readonly identity: Identity;
  readonly kms: Kms;
  readonly engine: Engine;
}

const startOn = async (
  { dataFolder, origin, gateway, identity, kms, engine }: Base,
  { sample, throttle, webhook: address, onLog, consumes = 'after-writes', hooks = {} }: InstanceOptions,
  undo: Undo[],
): Promise<Omit<Instance, 'stop'>> => {
  const assembly = assemble();
  const template = readOwnTemplate(assembly, publicKeyOf(kms, KEY_ARNS.SigningKey));
  await ensureTable(engine.endpoint, TABLE_NAME);
  const consumers = new Set(template.consumers.map(({ operationId }) => operationId));
  let feed: Feed | undefined;
  const webhook = address === undefined ? undefined : openWebhook(address, onLog);
  undo.push(() => webhook?.stop());
  const operationIds = new Map(template.functions.map(({ name, operationId }) => [name, operationId]));
  const lambda = createLambda((name, event) => runJob({ id: operationIds.get(name) ?? name }, event));
  const cloudWatch = createCloudWatch();
  const aws = await startAwsEndpoint({
    engineEndpoint: engine.endpoint,
    kms,
    cloudWatch,
    cognito: createCognito(identity.operators, mailTo(dataFolder)),
    eventBridge: createEventBridge((event) => webhook?.deliver(event)),
    s3: createS3(path.join(dataFolder, 'sealed-log')),
    lambda,
    resources: { vaultKeyArn: KEY_ARNS.VaultKey, policies: template.resourcePolicies },
    functions: template.functions,
    onDenied: ({ message }) => onLog(`${message}\n`),
    // Writes of a consumer invoke no consumer.
    onWritten: (operationId) => {
      if (operationId === undefined || !consumers.has(operationId)) feed?.wrote();
    },
    ...hooks,
  });
  undo.push(aws.stop);
  // Whatever the origin is, the functions reach the gateway there.
  const tokens = { ...identity.tokens, keysAt: keysAt(`http://127.0.0.1:${gateway.port}${IDENTITY_PATH}`) };
  const functions = createFunctions(template, assembly, aws, tokens, (logged) => {
    cloudWatch.collect(logged);
    onLog(logged);
  });
  undo.push(() => Promise.all([...functions.values()].map((fn) => fn.stop())));
  const invoke = invokeWith(functions);
  const tableEnvironment = environmentOfTable(template);
  const table = runnerTable(tableEnvironment, aws);
  feed = await startFeed({
    engineEndpoint: engine.endpoint,
    tableName: TABLE_NAME,
    file: engine.file,
    consumers: template.consumers,
    invoke,
    onLog,
    ...(consumes === 'on-settled' ? { later: () => undefined } : {}),
  });
  undo.push(feed.stop);
  undo.push(() => table.client.destroy());
  const runJob = runJobWith(invoke, onLog);
  if (!isStarted(dataFolder)) await createResources(runJob);
  await runAfterDeployment(runJob, table);
  const timers = scheduleJobs(runJob);
  undo.push(() => timers.forEach(clearInterval));
  const addOperator = identity.operators.add;
  const made = await firstRun({ table, dataFolder, url: origin, sample, addOperator });
  gateway.open({
    route: createRouter(),
    throttle: throttle === undefined ? undefined : createThrottle(throttle),
    functions,
    authorize: createJwtAuthorizer(identity.tokens),
    identity: identity.handle,
    site: createStaticSite(origin, { hasWebhook: webhook !== undefined }),
    webhook,
  });
  // First, because calls in progress need everything else.
  undo.push(gateway.stop);
  const { settled: consumed } = feed;
  const settled = async () => {
    await lambda.settled();
    await consumed();
    await webhook?.settled();
  };
  return {
    firstRun: made,
    ...{ table, tableEnvironment, aws, engineEnded: engine.ended, invoke, settled, addOperator },
  };
};

const start = async (options: InstanceOptions, undo: Undo[]): Promise<Omit<Instance, 'stop'>> => {
  const { dataFolder, port, host, allowedHosts = [], onLog } = options;
  const folder = openDataFolder(dataFolder);
  undo.push(folder.release);
  const gateway = await startGateway({ port, host, allowedHosts });
  undo.push(gateway.stop);
  const origin = allowedHosts[0] === undefined ? originAt(gateway.port) : `http://${allowedHosts[0]}`;
  const files = {
    key: path.join(folder.path, 'kms-key.json'),
    table: path.join(folder.path, 'table.sqlite'),
  };
  requireKeyOfTable(files);
  const identity = await openIdentity(folder.path, origin, onLog);
  undo.push(identity.close);
  const kms = createKms(files.key, { vault: KEY_ARNS.VaultKey, signing: KEY_ARNS.SigningKey });
  const engine = await startEngine(files.table);
  undo.push(engine.stop);
  const base = { dataFolder: folder.path, origin, gateway, identity, kms, engine };
  return whileRunning(engine, startOn(base, options, undo));
};

/**
 * Starts a complete Cuevault in this process: engine, KMS, functions under their synthesized policies, gateway. A
 * failed start cleans up after itself. Errors: `StartError` with one line that says what to do.
 */
export const startInstance = async (options: InstanceOptions): Promise<Instance> => {
  const undo: Undo[] = [];
  try {
    const started = await start(options, undo);
    return { ...started, stop: () => undoAll(undo) };
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
};
