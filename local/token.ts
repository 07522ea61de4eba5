// npm run --silent token -- admin|editor|viewer: prints the access token of the operator of that group (admin unless one is
// named) for the running instance.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '../contract/endpoint.ts';
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

const roleOf = ([role = 'admin', ...rest]: readonly string[]): Role => {
  const known = (['admin', 'editor', 'viewer'] as const).find((name) => name === role);
  if (known !== undefined && rest.length === 0) return known;
  throw new StartError('Name one group: npm run --silent token -- admin, editor or viewer.');
};

const accessToken = async ({ url, operators }: Partial<FirstRun>, role: Role): Promise<string> => {
  const health = await fetch(`${url}/health`).catch(() => undefined);
  if (!health?.ok) throw new StartError(`Nothing answers at ${url}: start Cuevault with "npm start".`);
  const operator = operators?.[role];
  if (url === undefined || operator === undefined)
    throw new StartError(`There is no ${role} yet: restart Cuevault.`);
  return (await signIn(url, operator)).access_token;
};

try {
  const role = roleOf(process.argv.slice(2));
  console.log(await accessToken(readFirstRun(dataFolderOf(process.env)), role));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
