// The installation on this machine. Packages for AWS are built without this file.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CommandReply } from '../contract/functions/commands.ts';
import { isStarted } from '../local/first-run.ts';
import { operatorOf } from '../local/identity/operators.ts';
import { startInstance } from '../local/instance.ts';
import { accessToken, isRunning, readFirstRun } from '../local/operator-token.ts';
import { dataFolderOf } from '../local/settings.ts';
import { failed, type Installation, resultOf } from './aws/reply.ts';
import { CommandError } from './aws/stack.ts';

const openRunning = (dataFolder: string): Installation => ({
  invoke: async (id, input) => {
    const { url } = readFirstRun(dataFolder);
    const reply = await fetch(`${url}/2015-03-31/functions/${id}/invocations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await accessToken(dataFolder, 'admin')}` },
      body: JSON.stringify(input),
    });
    if (!reply.ok) throw failed(id, `the instance answered ${reply.status}.`);
    return resultOf((await reply.json()) as CommandReply);
  },
  close: async () => undefined,
});

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

/** Where the installation on this machine is, or would be. */
export const localPlace = () => {
  const dataFolder = dataFolderOf(process.env);
  return { dataFolder, isStarted: isStarted(dataFolder) };
};

/**
 * Opens the installation in a data folder: through its running instance, or else by starting it for the time of the command.
 * `create`: whether an empty folder becomes a new one. Errors: `CommandError`, `StartError`.
 */
export const openLocal = async (dataFolder: string, create: boolean): Promise<Installation> => {
  const started = isStarted(dataFolder);
  if (started && (await isRunning(readFirstRun(dataFolder).url))) return openRunning(dataFolder);
  if (started || create) return openStopped(dataFolder);
  throw new CommandError(
    `There is no installation in ${dataFolder}: set CUEVAULT_DATA, or name a deployment with --stage.`,
  );
};
