import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ISecurityGroup, type IVpc, SecurityGroup, type SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { EventBus as Bus } from 'aws-cdk-lib/aws-events';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SnsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnOutput, CfnResource, RemovalPolicy, Stack, type StackProps, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import cdk from '../cdk.json' with { type: 'json' };
import { isRead } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { COMMANDS } from '../contract/functions/commands.ts';
import { CONSUMERS } from '../contract/functions/consumers.ts';
import { ENVIRONMENT } from '../contract/functions/environment.ts';
import { JOBS } from '../contract/functions/jobs.ts';
import { PUBLIC_KEY } from '../contract/functions/triggers.ts';
import { prepareAdoption } from './adoption.ts';
import { Api } from './constructs/api.ts';
import { EventBus } from './constructs/event-bus.ts';
import { GradualDeployment } from './constructs/functions/gradual-deployment.ts';
import {
  Consumer,
  failedRecordsBucket,
  Job,
  type Network,
  Operation,
} from './constructs/functions/operation.ts';
import { SigningKey } from './constructs/keys/signing-key.ts';
import { VaultKey } from './constructs/keys/vault-key.ts';
import { Monitoring } from './constructs/monitoring/monitoring.ts';
import { newTopic } from './constructs/monitoring/topic.ts';
import { Operators, signInOrigin } from './constructs/operators.ts';
import { Routes } from './constructs/routes.ts';
import { SealedLog } from './constructs/sealed-log.ts';
import { allowed, newLog } from './constructs/shared.ts';
import { AdminSite } from './constructs/site/admin-site.ts';
import { Table } from './constructs/table.ts';
import {
  assertRegion,
  type Model,
  modelIdOf,
  readSettings,
  SettingError,
  type SettingProps,
  STAGE_TAG,
} from './settings.ts';

/**
 * Lets a function ask models. A profile needs itself and the model in each of its destinations, which can be asked through
 * the profile alone (Amazon Bedrock User Guide, "Prerequisites for inference profiles").
 */
const letAsk = (fn: LambdaFunction, models: readonly Model[]): void => {
  const { partition, region, account } = Stack.of(fn);
  const allow = (resources: string[], conditions = {}) =>
    fn.addToRolePolicy(allowed('bedrock', ['InvokeModel'], resources, conditions));
  const modelIn = (place: string, id: string) => `arn:${partition}:bedrock:${place}::foundation-model/${id}`;
  for (const each of models) {
    const { id, regions } = each;
    if (regions === undefined) {
      allow([modelIn(region, id)]);
      continue;
    }
    const profile = `arn:${partition}:bedrock:${region}:${account}:inference-profile/${id}`;
    allow([profile]);
    allow(
      regions.map((place) => modelIn(place, modelIdOf(each))),
      { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    );
  }
  fn.addEnvironment(ENVIRONMENT.models, models.map(({ id }) => id).join());
};

/** A deployment: its settings, as `lib/settings.ts` describes them, and what only an app can name. */
export interface CuevaultStackProps extends StackProps, SettingProps {
  /**
   * Folder with the bundle of each operation: `<operation id>/index.mjs`.
   * @default - those of the package `cuevault-cdk`
   */
  readonly assetRoot?: string;
  /** Folder with the built admin UI. @default - that of the package `cuevault-cdk` */
  readonly siteRoot?: string;
  /**
   * Network of all functions. From there, they must reach AWS, and `issuer-keys` the issuers of trusts.
   * @default - the functions are in no network of yours
   */
  readonly vpc?: IVpc | undefined;
  /** @default - private subnets */
  readonly vpcSubnets?: SubnetSelection;
  /** @default - a new one, which lets everything out and nothing in */
  readonly securityGroups?: readonly ISecurityGroup[];
  /**
   * Whether the template is for `cdk import`, which brings what a removed stack left behind into a new stack. See the
   * runbook. Never deploy with it.
   * @default false
   */
  readonly adopt?: boolean;
}

export { SettingError };

const ASSETS = fileURLToPath(new URL('assets', import.meta.url));

const builtIn = (folder: string, file: string): string => {
  if (existsSync(join(folder, file))) return folder;
  throw new SettingError(
    `${join(folder, file)} is missing. In a clone of Cuevault, build it with "npm run assemble -- --deployment" and name the folders: assetRoot is dist/lambdas, siteRoot is admin-ui/dist.`,
  );
};

const SEAL = 'audit-seal';

const named = <Named extends Operation>(operations: readonly Named[], id: string): Named => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
};

// Longer than any of their functions runs. By default, a deployment waits an hour for a function that does not answer.
const CUSTOM_RESOURCE_SECONDS = 960;

const limitCustomResources = (stack: Stack): void => {
  for (const node of stack.node.findAll())
    if (CfnResource.isCfnResource(node) && node.cfnResourceType.startsWith('Custom::'))
      node.addPropertyOverride('ServiceTimeout', CUSTOM_RESOURCE_SECONDS);
};

// CDK's own functions would write to logs that never end.
const logProviders = (stack: Stack, days: number): void => {
  const log = newLog(stack, 'ProvidersLog', days);
  for (const node of stack.node.findAll())
    if (
      CfnResource.isCfnResource(node) &&
      node.cfnResourceType === 'AWS::Lambda::Function' &&
      (node as Partial<CfnFunction>).loggingConfig === undefined
    )
      node.addPropertyOverride('LoggingConfig', { LogGroup: log.logGroupName });
};

/** The entire service. Functions, routes and grants derive from the contract: a new endpoint changes nothing here. */
export class CuevaultStack extends Stack {
  /** Base address of the service, for applications; without a trailing slash. */
  readonly apiUrl: string;
  /** Address of the admin UI. */
  readonly adminUrl: string;
  /** The bus that every change is put on. Add rules to it: `docs/events/README.md` describes the events. */
  readonly eventBus: Bus;

  constructor(scope: Construct, id: string, props: CuevaultStackProps) {
    const settings = readSettings((name) => props[name as keyof SettingProps]);
    const assetRoot = builtIn(props.assetRoot ?? join(ASSETS, 'lambdas'), join(SEAL, 'index.mjs'));
    const siteRoot = builtIn(props.siteRoot ?? join(ASSETS, 'site'), 'index.html');
    super(scope, id, {
      stackName: `cuevault-${settings.stage}`,
      description: 'Cuevault: prompts and secrets for applications',
      ...props,
      tags: { [STAGE_TAG]: settings.stage, ...props.tags },
    });
    // The CLI sets it to the region of the credentials.
    const region = Token.isUnresolved(this.region) ? process.env.CDK_DEFAULT_REGION : this.region;
    assertRegion(settings, region);
    // An app that this stack is part of may have other feature flags, under which constructs create other resources.
    for (const [flag, value] of Object.entries(cdk.context)) this.node.setContext(flag, value);
    const table = new Table(this, 'Table', settings);
    const vaultKey = new VaultKey(this, 'VaultKey', settings);
    const signingKey = new SigningKey(this, 'Signing', settings);
    const eventBus = new EventBus(this, 'EventBus', settings);
    const sealedLog = new SealedLog(this, 'AuditLog', settings);
    const shared = {
      table,
      vaultKey,
      signingKey,
      eventBus,
      sealedLog,
      assetRoot,
      network: this.#network(props),
      logDays: settings.logDays,
    };
    const api = new Api(this, 'Api', settings);
    const connectTo = [signInOrigin(this, settings)];
    const site = new AdminSite(this, 'AdminSite', { api, connectTo, settings });
    signingKey.fetchPublicKey(new Operation(this, PUBLIC_KEY, shared).function);
    const operators = new Operators(this, 'Operators', { site, settings, shared });
    const routes = new Routes(this, 'Routes', { api, operators });
    const jobs = JOBS.map((job) => new Job(this, job, shared));
    const endpoints = ENDPOINTS.map((endpoint) => {
      const operation = new Operation(this, endpoint, { ...shared, jobs, userPool: operators });
      if (endpoint.access.kind === 'operator')
        for (const guard of [operators, site]) guard.letVerify(operation.function);
      if (endpoint.id === 'prompts-try' && settings.models) letAsk(operation.function, settings.models);
      routes.add(endpoint, operation);
      return { endpoint, operation };
    });
    api.stage.node.addDependency(routes);
    for (const command of COMMANDS) new Operation(this, command, { ...shared, userPool: operators });
    const failedRecords = failedRecordsBucket(this);
    const consumers = CONSUMERS.map((consumer) => new Consumer(this, consumer, { ...shared, failedRecords }));
    const reads = endpoints.filter(({ endpoint }) => isRead(endpoint)).map(({ operation }) => operation);
    const topic = newTopic(this, 'Alarms', settings.alarmEmail);
    // Lambda has repeated the run twice by then.
    for (const { function: job } of jobs) job.configureAsyncInvoke({ onFailure: new SnsDestination(topic) });
    const seal = named(jobs, SEAL);
    const monitoring = new Monitoring(this, 'Monitoring', {
      isMailed: settings.alarmEmail !== undefined,
      stage: settings.stage,
      topic,
      api,
      table,
      failedRecords,
      undelivered: eventBus.undelivered,
      reads,
      consumers,
      changes: named(consumers, 'changes'),
      signIn: operators.preToken,
      keyArns: [vaultKey.arn, ...signingKey.arns],
      sealedLog: sealedLog.name,
      scheduleNames: seal.scheduleName === undefined ? [] : [seal.scheduleName],
      mappingIds: consumers.map(({ mappingId }) => mappingId),
    });
    if (settings.gradualDeployment)
      new GradualDeployment(this, 'GradualDeployment', reads, monitoring.serverErrors);
    site.files.publish({
      root: siteRoot,
      config: {
        ...operators.siteConfig(api.url, settings.sourceHosts),
        ...(settings.models && { models: settings.models }),
      },
      logDays: settings.logDays,
    });
    // It adds objects that nobody can delete: a failed first deployment must still be able to remove their bucket. Not after the
    // routes: their functions' gradual deployment needs an alarm beside the rule that watches this schedule.
    seal.node.findChild('Schedule').node.addDependency(site.files);
    limitCustomResources(this);
    logProviders(this, settings.logDays);
    // A trial leaves its data behind, and no logs.
    if (!settings.production)
      for (const node of this.node.findAll())
        if (node instanceof LogGroup) node.applyRemovalPolicy(RemovalPolicy.DESTROY);
    if (props.adopt === true) prepareAdoption(this);
    this.apiUrl = api.url;
    this.adminUrl = site.url;
    this.eventBus = eventBus.resource;
    const outputs = {
      AdminUrl: [site.url, 'Address of the admin UI'],
      ApiUrl: [api.url, 'Base address of the service'],
      EventBusArn: [eventBus.arn, 'Event bus that every change is put on'],
      SealedLogName: [sealedLog.name, 'Bucket of the sealed audit log'],
      UserPoolId: [operators.userPoolId, 'Where operators are added'],
    } as const;
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, name, { value, description });
  }

  #network({ vpc, vpcSubnets, securityGroups }: CuevaultStackProps): Network | undefined {
    if (vpc === undefined && (vpcSubnets ?? securityGroups) !== undefined)
      throw new SettingError('vpcSubnets and securityGroups need vpc, the network that they belong to.');
    if (vpc === undefined) return undefined;
    const groups = securityGroups ?? [new SecurityGroup(this, 'Functions', { vpc })];
    return { vpc, securityGroups: [...groups], ...(vpcSubnets && { vpcSubnets }) };
  }
}
