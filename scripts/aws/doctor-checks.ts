import { parseArgs } from 'node:util';
import { BedrockClient, GetFoundationModelAvailabilityCommand } from '@aws-sdk/client-bedrock';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import { CloudTrailClient, DescribeTrailsCommand, GetTrailStatusCommand } from '@aws-sdk/client-cloudtrail';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { formatProblem } from '../../lambdas/store/format.ts';
import { type GivenSettings, modelIdOf, readSettings, STAGE_TAG, TRIAL_STAGE } from '../../lib/settings.ts';
import { counted } from '../counted.ts';
import { type Check, type Finding, failure, ok, reportOf, runChecks, warning } from './checks.ts';
import { resourcesOf, tableOf } from './functions.ts';
import { contextOf, deployedSettings } from './settings.ts';
import { CommandError, type DeployedStack, findStack } from './stack.ts';

// What templates of CDK's default synthesizer require (their rule CheckBootstrapVersion).
const BOOTSTRAP_VERSION = 6;
/** Distinguishes the bootstrap stacks of an account; the context `@aws-cdk/core:bootstrapQualifier` replaces it. */
const DEFAULT_QUALIFIER = 'hnb659fds';
// Below this, applications and operators share so few concurrent calls that some are throttled.
const CONCURRENCY = 100;
// The limit of a new account, which a single operator's screen reaches.
const NEW_ACCOUNT_CONCURRENCY = 10;

/** What every new account has: a failure in production, unless it is accepted, and otherwise a warning. */
type Serious = (text: string) => Finding;

/** The checks that `--accept` can name. */
const ACCEPTABLE: readonly string[] = ['Lambda', 'CloudTrail'];

export interface ExamineOptions {
  /** That of the CDK bootstrap stack. */
  readonly qualifier?: string;
  readonly production?: boolean;
  /** Titles of checks whose failure is taken knowingly. */
  readonly accepted?: readonly string[];
}

const seriousness =
  (title: string, { production = false, accepted = [] }: ExamineOptions): Serious =>
  (text) => {
    if (!production) return warning(text);
    return accepted.includes(title)
      ? warning(`Accepted: ${text}`)
      : failure(`${text} To deploy anyway, add --accept ${title}.`);
  };

const credentials = async (): Promise<Finding> => {
  const { Account = '', Arn = '' } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  const partition = Arn.split(':')[1];
  return partition === 'aws'
    ? ok(`account …${Account.slice(-4)}`)
    : failure(`The account belongs to the partition "${partition}". Use one of the commercial partition.`);
};

/** The version of CDK's bootstrap stack in account and region; undefined if there is none. Errors: those of SSM. */
export const bootstrapVersion = async (qualifier: string): Promise<number | undefined> => {
  try {
    const name = `/cdk-bootstrap/${qualifier}/version`;
    const { Parameter } = await new SSMClient({}).send(new GetParameterCommand({ Name: name }));
    return Number(Parameter?.Value);
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
};

const bootstrap = async (qualifier: string): Promise<Finding> => {
  const version = await bootstrapVersion(qualifier);
  if (version === undefined)
    return warning(
      'The account and region are not bootstrapped for CDK. "npm run deploy" does it, with the credentials of an administrator.',
    );
  if (version >= BOOTSTRAP_VERSION) return ok(`version ${version}`);
  // Somebody may have made it with a template of their own.
  return failure(
    `The CDK bootstrap stack has version ${version}; ${BOOTSTRAP_VERSION} is required. Update it: npx cdk bootstrap --qualifier ${qualifier}`,
  );
};

const concurrency = async (serious: Serious): Promise<Finding> => {
  const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
  const limit = AccountLimit?.ConcurrentExecutions ?? 0;
  if (limit <= NEW_ACCOUNT_CONCURRENCY)
    return serious(
      `Lambda runs at most ${limit} functions at once in this account, so an operator's screen is enough to get some calls of applications throttled. Ask for 1,000 and wait for the answer: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000`,
    );
  return limit >= CONCURRENCY
    ? ok(`${limit} concurrent executions`)
    : warning(
        `Lambda runs at most ${limit} functions at once in this account. Ask for more before production: Service Quotas, AWS Lambda, "Concurrent executions".`,
      );
};

const cloudFront = async (): Promise<Finding> => {
  const { DistributionList } = await new CloudFrontClient({}).send(
    new ListDistributionsCommand({ MaxItems: 1 }),
  );
  return (DistributionList?.Quantity ?? 0) > 0
    ? ok('the account has distributions')
    : warning(
        'The account has no distribution yet. AWS verifies new accounts first: if the deployment fails with "Your account must be verified", open a support case and deploy again.',
      );
};

// Trails of the organization and of other regions appear here if they cover this region.
const trail = async (serious: Serious): Promise<Finding> => {
  const client = new CloudTrailClient({});
  const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
  for (const { TrailARN, Name } of trailList) {
    const { IsLogging } = await client.send(new GetTrailStatusCommand({ Name: TrailARN }));
    if (IsLogging === true) return ok(`the trail ${Name} records changes of keys and policies`);
  }
  return serious(
    'No trail records this region, so nobody learns who changes the policies of keys and table. Create one in the console (CloudTrail, "Create a trail"); the first copy of management events is free of charge.',
  );
};

const REMEDIES: readonly (readonly [RegExp, (name: string) => string])[] = [
  [
    /^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|DELETE_FAILED)$/,
    (name) =>
      `Its creation or deletion failed. Delete it, then deploy again: aws cloudformation delete-stack --stack-name ${name}`,
  ],
  [
    /^UPDATE_ROLLBACK_FAILED$/,
    (name) => `Finish the rollback first: aws cloudformation continue-update-rollback --stack-name ${name}`,
  ],
  [/_IN_PROGRESS$/, () => 'Wait until the current operation has ended.'],
];

const stackState = async (stack: DeployedStack): Promise<Finding> => {
  const remedy = REMEDIES.find(([status]) => status.test(stack.status))?.[1];
  return remedy === undefined
    ? ok(stack.status)
    : failure(`${stack.name} is in ${stack.status}. ${remedy(stack.name)}`);
};

// A deployment of a release that cannot read the table would only fail in service.
const storedFormat = async (stack: DeployedStack): Promise<Finding> => {
  const name = await tableOf(stack);
  if (name === undefined) return ok('no table yet');
  const problem = await formatProblem(connectTable({ [ENVIRONMENT.table]: name }));
  return problem === undefined ? ok('this release reads the table') : failure(problem);
};

// The account agrees to models, not to profiles.
const modelAccess = async (stack: DeployedStack): Promise<Finding> => {
  const settings: GivenSettings = { stage: TRIAL_STAGE, ...(await deployedSettings(stack)) };
  const { models } = readSettings((name) => settings[name]);
  if (models === undefined) return ok('the setting names none');
  const client = new BedrockClient({});
  const denied: string[] = [];
  for (const modelId of models.map(modelIdOf)) {
    const found = await client.send(new GetFoundationModelAvailabilityCommand({ modelId }));
    const { agreementAvailability, authorizationStatus, entitlementAvailability } = found;
    const isOpen = [agreementAvailability?.status, entitlementAvailability].every(
      (each) => each === 'AVAILABLE',
    );
    if (!isOpen || authorizationStatus !== 'AUTHORIZED') denied.push(modelId);
  }
  return denied.length === 0
    ? ok(`the account may use ${counted(models.length, 'model')} of the setting`)
    : warning(
        `The account may not use ${denied.join(', ')} yet. Enable access in the console of Amazon Bedrock.`,
      );
};

const ofStack = async (
  stage: string,
  check: (stack: DeployedStack) => Promise<Finding>,
): Promise<Finding> => {
  const stack = await findStack(stage);
  return stack === undefined ? ok('not deployed yet') : check(stack);
};

/** What `cdk destroy` leaves behind. Everything else with the tag belongs to a stack that exists. */
const RETAINED = ['dynamodb:table', 'kms:key', 's3', 'cognito-idp:userpool', 'logs:log-group'];

const taggedArns = async (stage: string): Promise<string[]> => {
  const arns: string[] = [];
  const TagFilters = [{ Key: STAGE_TAG, Values: [stage] }];
  const pages = paginateGetResources(
    { client: new ResourceGroupsTaggingAPIClient({}) },
    { TagFilters, ResourceTypeFilters: RETAINED },
  );
  for await (const { ResourceTagMappingList = [] } of pages)
    arns.push(...ResourceTagMappingList.flatMap(({ ResourceARN }) => ResourceARN ?? []));
  return arns;
};

// Not by the tag that CloudFormation sets: it sets none on KMS keys and on global tables.
const retained = async (stage: string): Promise<Finding> => {
  const stack = await findStack(stage);
  const current =
    stack === undefined ? [] : (await resourcesOf(stack.name)).map((each) => each.PhysicalResourceId);
  const left = (await taggedArns(stage)).filter(
    (arn) => !current.some((id) => id !== undefined && (arn.endsWith(`/${id}`) || arn.endsWith(`:${id}`))),
  );
  if (left.length === 0) return ok('none of an earlier deployment');
  return warning(
    `${counted(left.length, 'resource')} of an earlier deployment of this stage. This one does not use them: a first deployment creates new, empty ones. To use them again, see "Adopting what it left behind" in docs/operations.md; keep them if you are not sure, because without its KMS keys no secret of that deployment can be decrypted:\n${left.map((arn) => `           ${arn}`).join('\n')}`,
  );
};

const doctorChecks = (stage: string, options: ExamineOptions): Check[] => [
  { title: 'CDK bootstrap', run: () => bootstrap(options.qualifier ?? DEFAULT_QUALIFIER) },
  { title: 'stack', run: () => ofStack(stage, stackState) },
  { title: 'stored format', run: () => ofStack(stage, storedFormat) },
  { title: 'models', run: () => ofStack(stage, modelAccess) },
  { title: 'Lambda', run: () => concurrency(seriousness('Lambda', options)) },
  { title: 'CloudFront', run: cloudFront },
  { title: 'CloudTrail', run: () => trail(seriousness('CloudTrail', options)) },
  { title: 'retained resources', run: () => retained(stage) },
];

/** The check that all others depend on. Errors: those of the credential chain. */
const checkCredentials: Check = { title: 'credentials', run: credentials };

/** The stage named by `--stage`, or by the setting `stage`; undefined if none is. */
export const stageOf = (args: string[]): string | undefined => {
  const { values } = parseArgs({ args, strict: false, options: { stage: { type: 'string' } } });
  const stage = values.stage ?? contextOf(args, 'stage');
  return typeof stage === 'string' ? stage : undefined;
};

/** The qualifier of the CDK bootstrap stack that a deployment with these arguments uses. */
export const qualifierOf = (args: string[]): string =>
  String(contextOf(args, '@aws-cdk/core:bootstrapQualifier') ?? DEFAULT_QUALIFIER);

/**
 * Checks an account for a deployment of the stage. Errors: `CommandError` for an accepted name that no check has; those of
 * the credential chain.
 */
export const examine = async (stage: string, options: ExamineOptions = {}) => {
  const unknown = options.accepted?.find((name) => !ACCEPTABLE.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`--accept ${unknown} accepts nothing. It can be ${ACCEPTABLE.join(' or ')}.`);
  const first = { title: checkCredentials.title, ...(await checkCredentials.run()) };
  const results =
    first.level === 'failure' ? [first] : [first, ...(await runChecks(doctorChecks(stage, options)))];
  return reportOf(results);
};
