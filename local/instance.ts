import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { CONSUMERS } from '../contract/functions/consumers.ts';
import type { Grant } from '../contract/functions/grants.ts';
import { JOBS, type Job } from '../contract/functions/jobs.ts';
import { formatProblem } from '../lambdas/store/format.ts';
import { findOperator } from '../lambdas/store/operators/operators.ts';
import { connectSigningTable } from '../lambdas/store/signing/kms.ts';
import { findVaultHead } from '../lambdas/store/vault/head.ts';
import { type Vault, vaultIn } from '../lambdas/store/vault/vault.ts';
import { assemble, type Bundles } from './assembly/assembly.ts';
import { REGION, TABLE_NAME } from './aws/account.ts';
import { createCloudWatch } from './aws/cloudwatch.ts';
import { createCognito } from './aws/cognito.ts';
import { type AwsEndpoint, type AwsEndpointOptions, startAwsEndpoint } from './aws/endpoint.ts';
import { createKms, publicKeyOf } from './aws/kms.ts';
import { createLambda } from './aws/lambda.ts';
import { createS3 } from './aws/s3.ts';
import { createEventBridge } from './aws/services.ts';
import { openDataFolder } from './data-folder.ts';
import { startEngine, whileRunning } from './engine/engine.ts';
import { ensureTable } from './engine/table.ts';
import { type Feed, startFeed } from './feed/feed.ts';
import { firstRun, isStarted, operatorsOf } from './first-run.ts';
import { denialOf } from './functions/accesses.ts';
import { createFunctions, invokeWith, type OnCall, PERMISSIONS } from './functions/functions.ts';
import { variablesOf } from './functions/grants.ts';
import { startGateway } from './gateway/gateway.ts';
import { createJwtAuthorizer } from './gateway/jwt-authorizer.ts';
import { createRouter } from './gateway/routes.ts';
import { createStaticSite } from './gateway/static-site.ts';
import { openIdentity } from './identity/identity.ts';
import { FIRST_OPERATORS } from './identity/operators.ts';
import { IDENTITY_PATH } from './identity/paths.ts';
import { keysAt } from './identity/provider.ts';
import { originAt } from './loopback.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { openWebhook } from './webhook/webhook.ts';

type Required = Pick<Settings, 'dataFolder' | 'port' | 'sample'>;

export interface InstanceOptions extends Required, Partial<Omit<Settings, keyof Required>> {
  /** Receives each line that a function logs, and each call for which it has no grant. */
  readonly onLog: (line: string) => void;
  /**
   * When the functions that consume the table's stream run. For tests, `on-settled` holds the stream until `settled` is
   * called: a test that reads derived data without waiting for it then fails always, not only on a slow machine.
   * @default 'after-writes'
   */
  readonly consumes?: 'after-writes' | 'on-settled';
  /** Which bundles the functions are. @default 'local' */
  readonly bundles?: Bundles | undefined;
  /** For tests: observes or answers each call of the functions, which then call the engine by the endpoint. */
  readonly hooks?: Pick<AwsEndpointOptions, 'before' | 'intercept' | 'onConsumed'>;
  /** For tests: receives calls of the functions; of those to the engine, at least the first of each kind. */
  readonly onCall?: OnCall | undefined;
}

const runnerTable = (environment: Record<string, string>, aws: AwsEndpoint): Vault =>
  vaultIn(
    connectSigningTable(environment, {
      endpoint: aws.url,
      region: REGION,
      credentials: aws.runnerCredentials,
    }),
  );

// It reads, writes and signs any row.
const RUNNER_GRANTS: readonly Grant[] = [
  { on: 'table', actions: [], partitions: [] },
  { on: 'signing-key', actions: ['Sign'] },
];

/** Appends a record that a consumer has failed to process to a file, as Lambda puts it into a bucket. */
const putAside =
  (file: string, onLog: (line: string) => void) =>
  (consumer: string, record: object, why: string): void => {
    appendFileSync(file, `${JSON.stringify({ at: new Date(), consumer, why, record })}\n`, { mode: 0o600 });
    onLog(`A change that ${consumer} cannot process was put into ${file}.\n`);
  };

type Undo = () => unknown;

const undoAll = async (undo: Undo[]): Promise<void> => {
  for (const step of undo.splice(0).reverse()) await step();
};

/** Opens the data folder and starts the services that the functions use. */
const openBase = async (
  { port, host, allowedHosts = [], onLog, ...options }: InstanceOptions,
  undo: Undo[],
) => {
  const { dataFolder } = options;
  undo.push(openDataFolder(dataFolder));
  const gateway = await startGateway({ port, host, allowedHosts });
  undo.push(gateway.stop);
  const origin = allowedHosts[0] === undefined ? originAt(gateway.port) : `http://${allowedHosts[0]}`;
  const [key, table] = ['kms-key.json', 'table.sqlite'].map((name) => path.join(dataFolder, name)) as [
    string,
    string,
  ];
  // Creating a new key would only hide that the existing secrets can no longer be decrypted.
  if (existsSync(table) && !existsSync(key))
    throw new StartError(
      `${key} is missing: without it, no secret in this data folder can be decrypted. Restore it, or move the folder away to start over.`,
    );
  const identity = await openIdentity(dataFolder, origin, gateway.port, onLog);
  undo.push(identity.close);
  const kms = createKms(key);
  const engine = await startEngine(table);
  undo.push(engine.stop);
  return { dataFolder, origin, gateway, identity, kms, engine };
};

const startOn = async (
  { dataFolder, origin, gateway, identity, kms, engine }: Awaited<ReturnType<typeof openBase>>,
  {
    sample,
    publishRate,
    model,
    webhook: address,
    onLog,
    hooks,
    onCall,
    bundles = 'local',
    ...options
  }: InstanceOptions,
  undo: Undo[],
) => {
  assemble(bundles);
  await ensureTable(engine.endpoint, TABLE_NAME);
  const consumers = new Set(CONSUMERS.map(({ id }) => id));
  let feed: Feed | undefined;
  const webhook = address === undefined ? undefined : openWebhook(address, onLog);
  undo.push(() => webhook?.stop());
  const lambda = createLambda((id, event) => runJob({ id }, event));
  // Writes of a consumer invoke no consumer.
  const onWritten = (operationId: string | undefined) => {
    if (operationId === undefined || !consumers.has(operationId)) feed?.wrote();
  };
  const cloudWatch = createCloudWatch();
  const aws = await startAwsEndpoint({
    engineEndpoint: engine.endpoint,
    kms,
    cloudWatch,
    cognito: createCognito(identity.operators),
    eventBridge: createEventBridge((event) => webhook?.deliver(event)),
    s3: createS3(path.join(dataFolder, 'sealed-log')),
    lambda,
    functions: PERMISSIONS,
    onDenied: (id, access) => onLog(`${denialOf(id, access)}\n`),
    ...(onCall && { onCall }),
    ...hooks,
    onWritten,
  });
  undo.push(aws.stop);
  // Whatever the origin is, the functions reach the gateway there.
  const { workloadIssuer } = identity;
  const tokens = {
    ...identity.tokens,
    workloadIssuer,
    keysAt: keysAt(`http://127.0.0.1:${gateway.port}${IDENTITY_PATH}`),
  };
  const publicKey = publicKeyOf(kms);
  const { functions, stop: stopFunctions } = createFunctions({
    aws,
    verifying: { publicKey, tokens, publishRate, model },
    engine: hooks === undefined ? engine.endpoint : undefined,
    bundles,
    onLog: (logged) => {
      cloudWatch.collect(logged);
      onLog(logged);
    },
    onWritten,
    onCall,
  });
  undo.push(stopFunctions);
  const invoke = invokeWith(functions);
  identity.connect(invoke);
  const tableEnvironment = variablesOf(RUNNER_GRANTS, publicKey);
  const table = runnerTable(tableEnvironment, aws);
  // Before anything writes to the folder or consumes the stream.
  const problem = await formatProblem(table);
  if (problem !== undefined) throw new StartError(problem);
  feed = await startFeed({
    engineEndpoint: engine.endpoint,
    tableName: TABLE_NAME,
    file: engine.file,
    consumers: CONSUMERS,
    invoke,
    onLog,
    onFailed: putAside(path.join(dataFolder, 'failed-records.jsonl'), onLog),
    ...(options.consumes === 'on-settled' ? { later: () => undefined } : {}),
  });
  undo.push(feed.stop);
  undo.push(() => table.client.destroy());
  let isStopping = false;
  // What a deployment, the schedules and operators do on AWS. There, too, a failing job does not block anything else.
  const runJob = async ({ id }: Pick<Job, 'id'>, input: unknown = {}): Promise<void> => {
    const outcome = await invoke(id, input);
    if ('failure' in outcome && !isStopping) onLog(`The job ${id} failed: ${outcome.failure}\n`);
  };
  // Only the first start creates a vault, like the first deployment, and never because its rows are missing.
  for (const job of JOBS)
    if (job.creates !== undefined && !isStarted(dataFolder)) await runJob(job, { RequestType: 'Create' });
  for (const job of JOBS) if (job.afterDeployment) await runJob(job);
  if ((await findVaultHead(table)) === undefined)
    throw new StartError('The vault could not be created, or is missing. See the log above.');
  for (const job of JOBS) {
    if (job.everyMinutes === undefined) continue;
    const seconds = job.everySecondsLocally ?? job.everyMinutes * 60;
    const timer = setInterval(() => void runJob(job), seconds * 1_000).unref();
    undo.push(() => clearInterval(timer));
  }
  undo.push(() => {
    isStopping = true;
  });
  const addOperator = operatorsOf(identity.operators, table);
  const made = await firstRun({
    table,
    dataFolder,
    url: origin,
    identityIssuer: workloadIssuer,
    sample,
    addOperator,
  });
  gateway.open({
    route: createRouter(),
    functions,
    authorize: createJwtAuthorizer(identity.tokens),
    operatorOf: (operatorId) => findOperator(table, operatorId),
    identity: identity.handle,
    site: createStaticSite(origin, {
      hasWebhook: webhook !== undefined,
      hasModel: model !== undefined,
      companyClientId: identity.tokens.companyAudience,
      operators: FIRST_OPERATORS,
    }),
    webhook,
    onError: onLog,
  });
  // First, because calls in progress need everything else.
  undo.push(gateway.stop);
  const { settled: consumed } = feed;
  const settled = async () => {
    await lambda.settled();
    await consumed();
    await runJob({ id: 'usage-days' });
    await webhook?.settled();
  };
  return {
    firstRun: made,
    /** The address that signs in to the admin UI, valid until it is stopped. */
    signInLink: identity.link,
    /** The table, with the default vault, and the runner's own access, which no grant limits. */
    table,
    /** The environment variables that connect to the table. */
    tableEnvironment: tableEnvironment as Readonly<Record<string, string>>,
    aws,
    /** Nothing works after it ends. */
    engine,
    invoke,
    /**
     * Resolves when the jobs that operators started are done, and counters, last uses and all other data derived from the
     * table's stream include everything written before the call. Rejects if a consumer of the stream fails.
     */
    settled,
    /** Adds an operator. */
    addOperator,
  };
};

/**
 * Starts a complete Cuevault in this process: engine, KMS, functions that may do what the contract grants them, gateway. A
 * failed start cleans up after itself. Errors: `StartError` with one line that says what to do.
 */
export const startInstance = async (options: InstanceOptions) => {
  const undo: Undo[] = [];
  try {
    const base = await openBase(options, undo);
    const started = await whileRunning(base.engine, startOn(base, options, undo));
    return { ...started, stop: () => undoAll(undo) };
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;
