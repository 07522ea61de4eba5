// Writes prompts, secrets and API keys to a file: npm run backup -- FILE
import { OF_INSTALLATION, runWithArguments } from '../aws/command.ts';
import { withInstallation } from '../aws/installation.ts';
import { CommandError } from '../aws/stack.ts';
import { readInstallation, refusedText } from './file.ts';
import { makeBackup } from './make.ts';

const USAGE = `Usage: npm run backup -- FILE [options]

Writes prompts, secrets and records of API keys to FILE; values stay sealed. Repeat an interrupted backup to continue it.`;

const OPTIONS = {
  ...OF_INSTALLATION,
  recipient: {
    type: 'string',
    says: [
      '--recipient KEYFILE',
      'reencrypt values to another installation; KEYFILE is what "npm run --silent vault-key" prints there',
    ],
  },
} as const;

await runWithArguments({ usage: USAGE, options: OPTIONS, counts: [1] }, async ({ values, positionals }) => {
  const [file = ''] = positionals;
  const recipients = values.recipient === undefined ? undefined : readInstallation(values.recipient).vaults;
  const tally = await withInstallation(values, (installation) =>
    makeBackup(installation, { file, recipients }),
  );
  const done = `${file} contains ${tally.text()}.`;
  if (tally.refused.length > 0) throw new CommandError(`${done}\n${refusedText(tally)}`);
  return recipients === undefined
    ? `${done} Values can be restored wherever the KMS key of this vault is.`
    : `${done} Values are encrypted to the installation of ${values.recipient} and to no other.`;
});
