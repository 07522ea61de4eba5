import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateDescribeStacks,
  type Stack,
  type StackResource,
} from '@aws-sdk/client-cloudformation';
import { type GivenSettings, SETTINGS_METADATA, STAGE_TAG } from '../../lib/settings.ts';

/** A user error, or a state of the account, that one sentence explains; printed without a stack trace. */
export class CommandError extends Error {}

/** The stack of a stage, or the one that the command was given by name. */
export const stackName = (stage: string): string => process.env.CUEVAULT_STACK ?? `cuevault-${stage}`;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);

/** The reply of a call about a stack; undefined if there is no such stack. */
const unlessMissing = async <Reply>(call: Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const describe = async (client: CloudFormationClient, name: string): Promise<Stack | undefined> =>
  (await unlessMissing(client.send(new DescribeStacksCommand({ StackName: name }))))?.Stacks?.[0];

/** A resource of the stack that one (physical id) is part of; undefined if it is of none. Errors: those of CloudFormation. */
export const ownerOf = async (PhysicalResourceId: string): Promise<StackResource | undefined> => {
  const call = new DescribeStackResourcesCommand({ PhysicalResourceId });
  return (await unlessMissing(new CloudFormationClient({}).send(call)))?.StackResources?.[0];
};

/** The stages of the deployments in this account and region. Errors: those of CloudFormation. */
export const deployedStages = async (): Promise<string[]> => {
  // Nested stacks carry the tags of theirs.
  const stages = new Set<string>();
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient({}) }, {}))
    for (const { Tags = [] } of Stacks)
      for (const { Key, Value = '' } of Tags) if (Key === STAGE_TAG) stages.add(Value);
  return [...stages];
};

/** The stage that a command is about: as given, or the only one. Errors: `CommandError` that names them. */
export const requireStage = async (given: string | undefined): Promise<string> => {
  if (given !== undefined) return given;
  const stages = await deployedStages();
  if (stages.length === 1) return stages[0] ?? '';
  throw new CommandError(
    stages.length === 0
      ? 'There is no deployment in this account and region. Check the credentials and AWS_REGION.'
      : `There are several deployments in this account and region: ${stages.join(', ')}. Name one with --stage.`,
  );
};

/** The stack of a stage; undefined if none is deployed. Errors: those of CloudFormation. */
export const findStack = async (stage: string, client = new CloudFormationClient({})) => {
  const name = stackName(stage);
  const found = await describe(client, name);
  if (found === undefined) return undefined;
  const outputs = new Map(found.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  return {
    name,
    id: found.StackId ?? '',
    /** From its tag; undefined if it is not a stack of Cuevault. */
    stage: found.Tags?.find(({ Key }) => Key === STAGE_TAG)?.Value,
    /** Such as `UPDATE_COMPLETE`. */
    status: found.StackStatus ?? '',
    /** Value of an output. Errors: `CommandError` if the stack has no such output. */
    output: (key: string) => {
      const value = outputs.get(key);
      if (value !== undefined) return value;
      throw new CommandError(
        `The stack ${name} has no output "${key}". Deploy this release first: npm run deploy`,
      );
    },
  };
};

export type DeployedStack = NonNullable<Awaited<ReturnType<typeof findStack>>>;

/** The stack of a stage. Errors: `CommandError` if none is deployed. */
export const requireStack = async (stage: string) => {
  const stack = await findStack(stage);
  if (stack !== undefined) return stack;
  throw new CommandError(
    `There is no stack ${stackName(stage)} in this account and region. Check the credentials and AWS_REGION, or name another stage with --stage.`,
  );
};

/** The parts of a deployed template that commands read. */
export interface Template {
  readonly Metadata?: { readonly [SETTINGS_METADATA]?: GivenSettings };
}

/** The template that a stack was deployed with. Errors: those of CloudFormation. */
export const templateOf = async ({ name }: Pick<DeployedStack, 'name'>): Promise<Template> => {
  const { TemplateBody = '{}' } = await new CloudFormationClient({}).send(
    new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }),
  );
  return JSON.parse(TemplateBody) as Template;
};
