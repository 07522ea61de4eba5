// Restores a file that "npm run backup" wrote: npm run restore -- FILE
import type { ApiKeyChoice, Restored } from '../../contract/backup.ts';
import { dataFolderOf } from '../../local/settings.ts';
import { type Given, runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { readInstallation, refusedText } from './file.ts';
import { openInstallation } from './installation.ts';
import { type CompleteBackup, loadBackup, readBackup } from './load.ts';

const USAGE = `Usage: npm run restore -- FILE --keep-api-keys|--revoke-api-keys [--stage prod] [--from KEYFILE]

Restores the prompts, secrets and API keys in FILE. What exists is kept; repeating it changes nothing.

  --keep-api-keys    applications can use the restored API keys, also those that were revoked after the backup
  --revoke-api-keys  restored API keys are revoked: create new ones for the applications
  --stage NAME       a deployment on AWS; without it, the installation in CUEVAULT_DATA
  --from KEYFILE     accept a backup of another installation; KEYFILE is what "npm run --silent vault-key" prints there

A backup that contains API keys needs one of the first two. They concern only keys that do not exist here.`;

const report = ({ tally, at }: CompleteBackup, { written, unchanged, kept }: Restored): string =>
  [
    `The backup of ${at} contains ${tally.text()}. Restored: ${written}. Already there: ${unchanged}.`,
    ...(kept.length === 0
      ? []
      : [
          `Not restored, because they exist with other content or are of an unknown kind: ${kept.length}`,
          ...kept.map(({ kind, id, name }) => `  ${kind} ${id} "${name}"`),
        ]),
    ...(tally.refused.length === 0 ? [] : [refusedText(tally)]),
    ...(written === 0
      ? []
      : ['What was deleted after the backup may exist again: see "After a restore" in docs/operations.md.']),
  ].join('\n');

const OPTIONS = {
  stage: { type: 'string' },
  from: { type: 'string' },
  'keep-api-keys': { type: 'boolean', default: false },
  'revoke-api-keys': { type: 'boolean', default: false },
} as const;

const apiKeysOf = ({ tally, at }: CompleteBackup, values: Given<typeof OPTIONS>['values']): ApiKeyChoice => {
  const { 'keep-api-keys': keep, 'revoke-api-keys': revoke } = values;
  if (keep !== revoke || (tally.apiKeys === 0 && !keep)) return keep ? 'keep' : 'revoke';
  throw new CommandError(
    `The backup of ${at} contains API keys: choose one of --keep-api-keys (applications can use them, also those that were revoked after the backup) and --revoke-api-keys (they are restored as revoked).`,
  );
};

await runWithArguments({ usage: USAGE, options: OPTIONS, counts: [1] }, async ({ values, positionals }) => {
  const [file = ''] = positionals;
  const trusted = values.from === undefined ? undefined : readInstallation(values.from).signingKeys;
  // Before an installation is created.
  const backup = await readBackup(file);
  const apiKeys = apiKeysOf(backup, values);
  const dataFolder = dataFolderOf(process.env);
  const { stage } = values;
  const installation = await openInstallation({ stage, dataFolder, create: true });
  try {
    const restored = report(backup, await loadBackup(installation, backup, { trusted, apiKeys }));
    await installation.close();
    return restored;
  } catch (error) {
    await installation.close();
    installation.remove?.();
    throw error;
  }
});
