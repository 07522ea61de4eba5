// npm run --silent identity -- sub=worker --audience <audience>: prints a token of the local issuer with these claims. `name=text`
// is a text, `name:=json` any JSON, such as a number.
import { parseArgs } from 'node:util';
import type { JWTPayload } from 'jose';
import { signToken, workloadKey } from './identity/keys.ts';
import { openIdentityStore } from './identity/store.ts';
import { readFirstRun } from './operator-token.ts';
import { dataFolderOf } from './settings.ts';
import { StartError } from './start-error.ts';

const USAGE =
  'npm run --silent identity -- sub=worker --audience <the audience of the trust> [name=text] [name:=json]';

const claimOf = (argument: string): [string, unknown] => {
  const [, name, colon, text] = /^([^=:]+)(:?)=(.*)$/s.exec(argument) ?? [];
  if (name === undefined || text === undefined)
    throw new StartError(`${argument} is no claim: write name=text, or name:=json. ${USAGE}`);
  try {
    return [name, colon === '' ? text : JSON.parse(text)];
  } catch {
    throw new StartError(`${argument} has no JSON after ":=".`);
  }
};

try {
  const { values, positionals } = parseArgs({
    options: { audience: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.audience === undefined) throw new StartError(`--audience is missing. ${USAGE}`);
  const dataFolder = dataFolderOf(process.env);
  const { identityIssuer } = readFirstRun(dataFolder);
  if (identityIssuer === undefined)
    throw new StartError('There is no issuer yet: start Cuevault with "npm start".');
  const database = openIdentityStore(dataFolder);
  const key = await workloadKey(database).finally(() => database.close());
  const claims: JWTPayload = { aud: values.audience, ...Object.fromEntries(positionals.map(claimOf)) };
  console.log(await signToken(key, identityIssuer, claims));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
