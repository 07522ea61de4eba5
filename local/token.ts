// npm run --silent token -- admin|editor|viewer: prints the access token of the operator of that group (admin unless one is
// named) for the running instance.
import type { Role } from '../contract/fields/access.ts';
import { accessToken } from './operator-token.ts';
import { dataFolderOf } from './settings.ts';
import { StartError } from './start-error.ts';

const roleOf = ([role = 'admin', ...rest]: readonly string[]): Role => {
  const known = (['admin', 'editor', 'viewer'] as const).find((name) => name === role);
  if (known !== undefined && rest.length === 0) return known;
  throw new StartError('Name one group: npm run --silent token -- admin, editor or viewer.');
};

try {
  const role = roleOf(process.argv.slice(2));
  console.log(await accessToken(dataFolderOf(process.env), role));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
