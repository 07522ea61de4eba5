import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { JOBS } from '../../contract/functions/jobs.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { KEY_ARNS } from '../../local/aws/account.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { engineOptions } from '../../local/engine/table.ts';
import { variablesOf } from '../../local/functions/grants.ts';
import { CommandError } from '../aws/stack.ts';
import { readPublicKeys } from './copy.ts';
import { JOB, objectsIn, type Source } from './source.ts';

const snapshotOf = async (file: string, folder: string): Promise<string> => {
  const copy = path.join(folder, 'table.sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    await backup(database, copy);
  } finally {
    database.close();
  }
  return copy;
};

const publicKeyIn = (keyFile: string): string =>
  publicKeyOf(
    createKms(keyFile, { vault: KEY_ARNS.VaultKey, signing: KEY_ARNS.SigningKey }),
    KEY_ARNS.SigningKey,
  );

/**
 * The data folder of `npm start`, which may be running: the table is read from a snapshot. Errors: `CommandError` if
 * there is no table or no log in it.
 */
export const openHere = async (dataFolder: string, publicKeys: string | undefined): Promise<Source> => {
  const [file, key] = ['table.sqlite', 'kms-key.json'].map((name) => path.join(dataFolder, name));
  if (file === undefined || key === undefined || !existsSync(file) || !existsSync(key))
    throw new CommandError(
      `There is no table in ${dataFolder}: set CUEVAULT_DATA, name a stage with --stage, or a copy of the log with --folder.`,
    );
  // Before the snapshot: entries that are sealed in between are merely not due yet.
  const objects = objectsIn(path.join(dataFolder, 'sealed-log'));
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-verify-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const engine = await startEngine(await snapshotOf(file, folder));
    const keys = publicKeys === undefined ? publicKeyIn(key) : readPublicKeys(publicKeys);
    const { grants = [] } = JOBS.find(({ id }) => id === JOB) ?? {};
    const table = connectTable(variablesOf(grants, keys), engineOptions(engine.endpoint));
    const close = async () => {
      table.client.destroy();
      await engine.stop();
      remove();
    };
    return { verifier: table, objects, table, close };
  } catch (error) {
    remove();
    throw error;
  }
};
