import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '../contract/fields/access.ts';
import { SIGN_IN_SCOPE, TOKEN_SECONDS } from '../contract/sign-in.ts';
import type { FirstRun } from './first-run.ts';
import { signingKey, signToken } from './identity/keys.ts';
import { operatorOf, operatorsIn } from './identity/operators.ts';
import { IDENTITY_PATH } from './identity/paths.ts';
import { accessClaims, CLIENT_ID } from './identity/provider.ts';
import { openIdentityStore } from './identity/store.ts';
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

/**
 * An access token of the operator of a group for the running instance, as a sign-in gives it. Errors:
 * `StartError` if it is not running, or the operator cannot sign in.
 */
export const accessToken = async (dataFolder: string, role: Role): Promise<string> => {
  const { url } = readFirstRun(dataFolder);
  if (!(await isRunning(url)))
    throw new StartError(`Nothing answers at ${url}: start Cuevault with "npm start".`);
  const database = openIdentityStore(dataFolder);
  try {
    const operator = operatorsIn(database).account(operatorOf(role));
    if (operator === undefined)
      throw new StartError(`There is no ${operatorOf(role)}: invite them in the admin UI.`);
    if (!operator.enabled) throw new StartError(`${operator.email} is disabled.`);
    const auth_time = Math.floor(Date.now() / 1_000);
    return await signToken(await signingKey(database), url + IDENTITY_PATH, {
      sub: operator.id,
      client_id: CLIENT_ID,
      scope: SIGN_IN_SCOPE,
      auth_time,
      ...accessClaims(operator),
      exp: auth_time + TOKEN_SECONDS.access,
    });
  } finally {
    database.close();
  }
};
