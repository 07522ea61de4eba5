import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ISecurityGroup, type IVpc, SecurityGroup, type SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { CfnOutput, CfnResource, Stack, type StackProps, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import cdk from '../cdk.json' with { type: 'json' };
import { isRead } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { COMMANDS } from '../contract/functions/commands.ts';
import { CONSUMERS } from '../contract/functions/consumers.ts';
import { JOBS } from '../contract/functions/jobs.ts';
import { FIRST_OPERATOR, PRE_TOKEN, PUBLIC_KEY } from '../contract/functions/triggers.ts';
import { prepareAdoption } from './adoption.ts';
import { Api } from './constructs/api.ts';
import { EventBus } from './constructs/event-bus.ts';
import { Consumer, failedRecordsBucket } from './constructs/functions/consumer.ts';
import { GradualDeployment } from './constructs/functions/gradual-deployment.ts';
import { Job } from './constructs/functions/job.ts';
import { type Network, Operation } from './constructs/functions/operation.ts';
import { SigningKey } from './constructs/keys/signing-key.ts';
import { VaultKey } from './constructs/keys/vault-key.ts';
import { Monitoring } from './constructs/monitoring/monitoring.ts';
import { Operators, signInOrigin } from './constructs/operators.ts';
import { Routes } from './constructs/routes.ts';
import { SealedLog } from './constructs/sealed-log.ts';
import { AdminSite } from './constructs/site/admin-site.ts';
import { Table } from './constructs/table.ts';
import { assertRegion, readSettings, SettingError, type SettingProps, STAGE_TAG } from './settings.ts';

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

/** Nobody can sign in, or what happens is not sealed. */
const URGENT: readonly string[] = [PRE_TOKEN.id, SEAL];

/** What can wait until the next working day. */
const BACKGROUND: readonly string[] = [
  ...['vault-rotate', 'table-purge', 'usage-days', 'issuer-keys'],
  FIRST_OPERATOR.id,
];

// Longer than any of their functions runs. By default, a deployment waits an hour for a function that does not answer.
const CUSTOM_RESOURCE_SECONDS = 960;

const limitCustomResources = (stack: Stack): void => {
  for (const node of stack.node.findAll())
    if (CfnResource.isCfnResource(node) && node.cfnResourceType.startsWith('Custom::'))
      node.addPropertyOverride('ServiceTimeout', CUSTOM_RESOURCE_SECONDS);
};

/** Finds the logical ids that a part of a template refers to. */
const referredTo = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'Ref' || name === 'Fn::GetAtt' ? [[value].flat()[0]] : referredTo(value),
  );
};

// CDK lists in DependsOn also what the properties refer to, which CloudFormation knows. Validation is the first step of
// synthesis in which all dependencies are those of resources.
const dropImpliedDependencies = (stack: Stack): void => {
  const validate = (): string[] => {
    for (const node of stack.node.findAll().filter(CfnResource.isCfnResource)) {
      const implied = referredTo(Stack.of(node).resolve((node as unknown as Rendered)._toCloudFormation()));
      for (const needed of node.obtainDependencies())
        if (CfnResource.isCfnResource(needed) && implied.includes(Stack.of(node).resolve(needed.logicalId)))
          node.removeResourceDependency(needed);
    }
    return [];
  };
  stack.node.addValidation({ validate });
};

interface Rendered {
  readonly _toCloudFormation: () => object;
}

/** The entire service. Functions, routes and grants derive from the contract: a new endpoint changes nothing here. */
export class CuevaultStack extends Stack {
  constructor(scope: Construct, id: string, props: CuevaultStackProps = {}) {
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
      provisionedConcurrency: settings.provisionedConcurrency,
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
      routes.add(endpoint, operation);
      return { endpoint, operation };
    });
    const commands = COMMANDS.map(
      (command) => new Operation(this, command, { ...shared, userPool: operators }),
    );
    const failedRecords = failedRecordsBucket(this);
    const consumers = CONSUMERS.map((consumer) => new Consumer(this, consumer, { ...shared, failedRecords }));
    const reads = endpoints.filter(({ endpoint }) => isRead(endpoint)).map(({ operation }) => operation);
    const isOneOf =
      (ids: readonly string[]) =>
      ({ operationId }: Operation): boolean =>
        ids.includes(operationId);
    const scheduled = [...jobs, ...operators.functions];
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings,
      api,
      table,
      failedRecords,
      undelivered: eventBus.undelivered,
      reads,
      consumers,
      steady: jobs.filter(isOneOf([SEAL])),
      urgent: scheduled.filter(isOneOf(URGENT)),
      background: scheduled.filter(isOneOf(BACKGROUND)),
      keyArns: [vaultKey.arn, ...signingKey.arns],
      sealedLog: sealedLog.name,
      mappingIds: consumers.map(({ mappingId }) => mappingId),
      operations: [...endpoints.map(({ operation }) => operation), ...commands, ...consumers, ...scheduled],
    });
    if (settings.gradualDeployment) {
      const guarded = reads.map((operation) => ({ operation, alarms: monitoring.ofReads(operation) }));
      new GradualDeployment(this, 'GradualDeployment', guarded);
    }
    site.files.publish({
      root: siteRoot,
      config: operators.siteConfig(api.url, settings.sourceHosts),
      logDays: settings.logDays,
    });
    // It adds objects that nobody can delete: a failed first deployment must still be able to remove their bucket.
    const seal = jobs.find(isOneOf([SEAL]));
    seal?.node.findChild('Schedule').node.addDependency(site.files, routes);
    limitCustomResources(this);
    dropImpliedDependencies(this);
    if (settings.adopt) prepareAdoption(this);
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
