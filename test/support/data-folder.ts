import { copyFileSync, cpSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COMPANY_FILE } from '../../local/identity/company.ts';
import { startInstance } from '../../local/instance.ts';
import { newFolder } from './new-folder.ts';

/** What an instance begins with. */
export interface Beginning {
  /** Whether its first start has created samples. */
  readonly sample?: boolean;
  /** Whether it starts for the first time, with KMS keys of its own. */
  readonly isFirstStart?: boolean;
  /** The data folder of another instance: it starts for the first time, with the KMS keys of that one. */
  readonly keysOf?: string;
  /** Whether a company's people can sign in; the test writes who they are. */
  readonly hasCompany?: boolean;
}

// The processes of a run share its temporary folder.
const makeStarted = async (started: string, sample: boolean): Promise<void> => {
  const dataFolder = newFolder();
  const instance = await startInstance({
    dataFolder,
    port: 0,
    sample,
    consumes: 'on-settled' as const,
    onLog: () => {},
  });
  await instance.stop();
  try {
    renameSync(dataFolder, started);
  } catch {
    // Another process was quicker.
  }
};

/**
 * Makes a data folder. Unless told otherwise, it is a copy of one in which an instance has run: a first start takes five
 * times as much processor time as another.
 */
export const makeDataFolder = async ({
  sample = false,
  isFirstStart = false,
  keysOf,
  hasCompany = false,
}: Beginning): Promise<string> => {
  const folder = newFolder();
  if (hasCompany) writeFileSync(path.join(folder, COMPANY_FILE), '[]');
  if (keysOf !== undefined)
    copyFileSync(path.join(keysOf, 'kms-key.json'), path.join(folder, 'kms-key.json'));
  // Outside Jest, nobody removes what processes share.
  if (isFirstStart || keysOf !== undefined || process.env.CUEVAULT_TEST_INSTANCES === undefined)
    return folder;
  const started = path.join(tmpdir(), `started-${sample}`);
  if (!existsSync(started)) await makeStarted(started, sample);
  cpSync(started, folder, { recursive: true });
  return folder;
};
