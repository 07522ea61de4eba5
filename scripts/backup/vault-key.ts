// Prints the public keys of an installation, for backups between installations: npm run --silent vault-key
import { dataFolderOf } from '../../local/settings.ts';
import { runWithArguments } from '../aws/command.ts';
import { openInstallation } from './installation.ts';
import { identityOf } from './make.ts';

const USAGE = `Usage: npm run --silent vault-key [-- --stage prod] > KEYFILE

Prints the public keys that others need to seal values for this installation and to verify its backups. They are not secret, but someone who replaces them can read the values: send them on a channel that nobody else can write to.`;

await runWithArguments({ usage: USAGE, options: { stage: { type: 'string' } } }, async ({ values }) => {
  const dataFolder = dataFolderOf(process.env);
  const installation = await openInstallation({ stage: values.stage, dataFolder });
  try {
    return JSON.stringify(await identityOf(installation), null, 2);
  } finally {
    await installation.close();
  }
});
