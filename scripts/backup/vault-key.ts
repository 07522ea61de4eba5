// Prints the public keys of an installation, for backups between installations: npm run --silent vault-key
import { OF_INSTALLATION, runWithArguments } from '../aws/command.ts';
import { withInstallation } from '../aws/installation.ts';
import { identityOf } from './make.ts';

const USAGE = `Usage: npm run --silent vault-key -- [options] > KEYFILE

Prints the public keys that others need to seal values for this installation and to verify its backups. They are not secret, but someone who replaces them can read the values: send them on a channel that nobody else can write to.`;

await runWithArguments({ usage: USAGE, options: OF_INSTALLATION }, async ({ values }) =>
  JSON.stringify(await withInstallation(values, identityOf), null, 2),
);
