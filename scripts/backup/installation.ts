import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { CommandReply } from '../../contract/functions/commands.ts';
import { operatorOf } from '../../local/identity/operators.ts';
import { startInstance } from '../../local/instance.ts';
import { accessToken, isRunning, readFirstRun } from '../../local/operator-token.ts';
import { dataFolderOf } from '../../local/settings.ts';
import { functionsOf } from '../aws/functions.ts';
import { CommandError, deployedStages } from '../aws/stack.ts';

/** An installation whose commands can be invoked. */
export interface Installation {
  /** The result of a command. Errors: `CommandError` with the command's own sentence. */
  readonly invoke: (id: string, input: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
  /** Removes, after it was closed, what opening it has created. */
  readonly remove?: () => void;
}

const resultOf = (reply: CommandReply): unknown => {
  if ('err' in reply) throw new CommandError(reply.err);
  return reply.res;
};

const failed = (id: string, why: string) => new CommandError(`${id} failed: ${why} See its log.`);

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

const openRunning = (dataFolder: string): Installation => {
  const { url } = readFirstRun(dataFolder);
  let token: string | undefined;
  const send = async (id: string, input: unknown): Promise<Response> => {
    token ??= await accessToken(dataFolder, 'admin');
    return fetch(`${url}/2015-03-31/functions/${id}/invocations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(input),
    });
  };
  return {
    invoke: async (id, input) => {
      let reply = await send(id, input);
      if (reply.status === 401) {
        // The token has expired.
        token = undefined;
        reply = await send(id, input);
      }
      if (!reply.ok) throw failed(id, `the instance answered ${reply.status}.`);
      return resultOf((await reply.json()) as CommandReply);
    },
    close: async () => undefined,
  };
};

/**
 * Removes a new installation from a folder: what was not there when this was called, and the folder if it did not exist.
 * If the folder had a table, the installation is not new.
 */
const remover = (folder: string): (() => void) => {
  if (!existsSync(folder)) return () => rmSync(folder, { recursive: true, force: true });
  // Starting an instance reports anything else that is in its place.
  const before = new Set(statSync(folder).isDirectory() ? readdirSync(folder) : ['table.sqlite']);
  if (before.has('table.sqlite')) return () => undefined;
  return () => {
    const created = readdirSync(folder).filter((name) => !before.has(name));
    for (const name of created) rmSync(path.join(folder, name), { recursive: true, force: true });
  };
};

const openStopped = async (dataFolder: string): Promise<Installation> => {
  const remove = remover(dataFolder);
  // Printed if a function fails. The error of a refused command is its sentence.
  let log = '';
  const onLog = (line: string) => {
    log += line;
  };
  const instance = await startInstance({ dataFolder, port: 0, sample: false, onLog }).catch((error) => {
    process.stderr.write(log);
    throw error;
  });
  const operator = operatorOf('admin');
  return {
    invoke: async (id, input) => {
      log = '';
      const outcome = await instance.invoke(id, { operator, input });
      if ('failure' in outcome) {
        process.stderr.write(log);
        throw failed(id, outcome.failure);
      }
      return resultOf(outcome.reply as CommandReply);
    },
    close: instance.stop,
    remove,
  };
};

export interface OpenOptions {
  /** A deployment on AWS. @default - the data folder */
  readonly stage?: string | undefined;
  readonly dataFolder: string;
  /** Whether an empty data folder becomes a new installation. @default false */
  readonly create?: boolean;
}

/**
 * Opens a deployment on AWS, or the installation in a data folder: through its running instance, or else by starting it
 * for the time of the command. Errors: `CommandError`, `StartError`.
 */
export const openInstallation = async ({
  stage,
  dataFolder,
  create = false,
}: OpenOptions): Promise<Installation> => {
  if (stage !== undefined) return openStage(stage);
  const started = existsSync(path.join(dataFolder, 'first-run.json'));
  if (started && (await isRunning(readFirstRun(dataFolder).url))) return openRunning(dataFolder);
  if (started || create) return openStopped(dataFolder);
  throw new CommandError(
    `There is no installation in ${dataFolder}: set CUEVAULT_DATA, or name a deployment with --stage.`,
  );
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
 * The stage of the installation as given, or of the only one; undefined: that on this machine. Errors: `CommandError` that
 * names all if there are several.
 */
export const chooseInstallation = async ({ stage, local = false }: Which): Promise<string | undefined> => {
  if (stage !== undefined || local) return stage;
  const dataFolder = dataFolderOf(process.env);
  const stages = await stagesHere();
  const isHere = existsSync(path.join(dataFolder, 'first-run.json'));
  if (stages.length + (isHere ? 1 : 0) < 2) return stages[0];
  const places = [...stages.map((name) => `--stage ${name}`), ...(isHere ? [`--local (${dataFolder})`] : [])];
  throw new CommandError(`There are several installations. Name one: ${places.join(', ')}.`);
};

/** Says on standard error which installation a command speaks to. */
const announce = (stage: string | undefined): void => {
  const place = stage === undefined ? dataFolderOf(process.env) : `the stage ${stage} on AWS`;
  process.stderr.write(`Cuevault in ${place}\n`);
};

/** The result of work with an installation, which is closed afterwards. Errors: those of both. */
export const withInstallation = async <Result>(
  which: Which,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> => {
  const stage = await chooseInstallation(which);
  if (which.stage === undefined) announce(stage);
  const installation = await openInstallation({ stage, dataFolder: dataFolderOf(process.env) });
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
};
