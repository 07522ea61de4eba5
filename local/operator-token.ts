import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '../contract/endpoint.ts';
import type { FirstRun } from './first-run.ts';
import { signIn } from './identity/client.ts';
import { StartError } from './start-error.ts';

/** The content of `first-run.json` in a data folder. Errors: `StartError` if it cannot be read. */
export const readFirstRun = (dataFolder: string): Partial<FirstRun> => {
  const file = path.join(dataFolder, 'first-run.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<FirstRun>;
  } catch {
    throw new StartError(`${file} cannot be read: start Cuevault with "npm start", or set CUEVAULT_DATA.`);
  }
};

/** Whether an instance answers at an address. */
export const isRunning = async (url: string | undefined): Promise<boolean> =>
  (await fetch(`${url}/health`).catch(() => undefined))?.ok === true;

/** An access token of the operator of a group for the running instance. Errors: `StartError` if it is not running. */
export const accessToken = async ({ url, operators }: Partial<FirstRun>, role: Role): Promise<string> => {
  if (!(await isRunning(url)))
    throw new StartError(`Nothing answers at ${url}: start Cuevault with "npm start".`);
  const operator = operators?.[role];
  if (url === undefined || operator === undefined)
    throw new StartError(`There is no ${role} yet: restart Cuevault.`);
  return (await signIn(url, operator)).access_token;
};
