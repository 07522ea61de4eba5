import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { CommandReply } from '../../contract/functions/commands.ts';
import { functionsOf } from './functions.ts';
import { failed, type Installation, resultOf } from './reply.ts';
import { CommandError, deployedStages, requireStage } from './stack.ts';

const openStage = async (stage: string): Promise<Installation> => {
  const nameOf = await functionsOf(stage);
  const { Arn: operator } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  const lambda = new LambdaClient({ requestHandler: { requestTimeout: 310_000 }, maxAttempts: 1 });
  return {
    invoke: async (id, input) => {
      const FunctionName = nameOf(id);
      const Payload = JSON.stringify({ operator, input });
      const reply = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
      const body = JSON.parse(reply.Payload?.transformToString() ?? 'null');
      if (reply.FunctionError !== undefined)
        throw failed(id, `${body?.errorMessage ?? reply.FunctionError}.`);
      return resultOf(body as CommandReply);
    },
    close: async () => lambda.destroy(),
  };
};

// A package has another start, a constant in its code, and only deployments on AWS.
const thisMachine = async () =>
  process.env.CUEVAULT_COMMAND === undefined ? await import('../local.ts') : undefined;

export interface OpenOptions {
  /** A deployment on AWS. @default - the data folder */
  readonly stage?: string | undefined;
  /** @default - that of the environment */
  readonly dataFolder?: string;
  /** Whether an empty data folder becomes a new installation. @default false */
  readonly create?: boolean;
}

/** Opens a deployment on AWS, or the installation in a data folder. Errors: `CommandError`, `StartError`. */
export const openInstallation = async ({
  stage,
  dataFolder,
  create = false,
}: OpenOptions): Promise<Installation> => {
  const local = stage === undefined ? await thisMachine() : undefined;
  if (local !== undefined) return local.openLocal(dataFolder ?? local.localPlace().dataFolder, create);
  return openStage(await requireStage(stage));
};

/** The installation that a command is about, by its options. */
export interface Which {
  readonly stage?: string | undefined;
  /** The one on this machine. */
  readonly local?: boolean | undefined;
}

/** The deployments on AWS that the credentials show; none without credentials or a region. */
const stagesHere = async (): Promise<string[]> => {
  try {
    return await deployedStages();
  } catch (error) {
    if (/CredentialsProviderError/.test(String(error)) || /region is missing/i.test(String(error))) return [];
    throw error;
  }
};

/**
 * The stage of the installation as given, or of the only one; undefined: that on this machine. Says on standard error which
 * it is, unless it was given. Errors: `CommandError` that names all if there are several.
 */
export const chooseInstallation = async ({ stage, local = false }: Which): Promise<string | undefined> => {
  if (stage !== undefined || local) return stage;
  const here = (await thisMachine())?.localPlace();
  const stages = here === undefined ? [await requireStage(undefined)] : await stagesHere();
  const places = [
    ...stages.map((name) => `--stage ${name}`),
    ...(here?.isStarted ? [`--local (${here.dataFolder})`] : []),
  ];
  if (places.length > 1)
    throw new CommandError(`There are several installations. Name one: ${places.join(', ')}.`);
  const [only] = stages;
  process.stderr.write(`Cuevault in ${only === undefined ? here?.dataFolder : `the stage ${only} on AWS`}\n`);
  return only;
};

/** The result of work with an installation, which is closed afterwards. Errors: those of both. */
export const withInstallation = async <Result>(
  which: Which,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> => {
  const installation = await openInstallation({ stage: await chooseInstallation(which) });
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
};
