// npm run --silent token: prints an operator's access token for the running instance.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FirstRun } from './first-run.ts';
import { signIn } from './identity/client.ts';
import { dataFolderOf } from './settings.ts';
import { StartError } from './start-error.ts';

const readFirstRun = (dataFolder: string): Partial<FirstRun> => {
  const file = path.join(dataFolder, 'first-run.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<FirstRun>;
  } catch {
    throw new StartError(`${file} cannot be read: start Cuevault with "npm start", or set CUEVAULT_DATA.`);
  }
};

const accessToken = async ({ url, operator }: Partial<FirstRun>): Promise<string> => {
  const health = await fetch(`${url}/health`).catch(() => undefined);
  if (!health?.ok) throw new StartError(`Nothing answers at ${url}: start Cuevault with "npm start".`);
  if (url === undefined || operator === undefined)
    throw new StartError('There is no operator yet: restart Cuevault.');
  return (await signIn(url, operator)).access_token;
};

try {
  console.log(await accessToken(readFirstRun(dataFolderOf(process.env))));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
