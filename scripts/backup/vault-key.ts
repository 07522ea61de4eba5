// Prints the public keys of an installation, for backups between installations: npm run --silent vault-key
import { runWithArguments } from '../aws/command.ts';
import { withInstallation } from './installation.ts';
import { identityOf } from './make.ts';

const USAGE = `Usage: npm run --silent vault-key [-- --stage NAME|--local] > KEYFILE

Prints the public keys that others need to seal values for this installation and to verify its backups. They are not secret, but someone who replaces them can read the values: send them on a channel that nobody else can write to.`;

const OPTIONS = { stage: { type: 'string' }, local: { type: 'boolean', default: false } } as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) =>
  JSON.stringify(await withInstallation(values, identityOf), null, 2),
);
