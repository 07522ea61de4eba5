// Restores a file that "npm run backup" wrote: npm run restore -- FILE
import type { ApiKeyChoice, Restored } from '../../contract/shapes/backup.ts';
import { type Given, OF_INSTALLATION, runWithArguments, UsageError } from '../aws/command.ts';
import { chooseInstallation, openInstallation, withInstallation } from '../aws/installation.ts';
import { CommandError } from '../aws/stack.ts';
import { readInstallation, refusedText, type Tally } from './file.ts';
import { type CompleteBackup, loadBackup, readBackup, restoreFromTable } from './load.ts';

const USAGE = `Usage: npm run restore -- FILE --keep-api-keys|--revoke-api-keys [options]
       npm run restore -- --from-table NAME --stage prod [--revoke-api-keys]

Restores the prompts, secrets and API keys in FILE, or in a copy of the table from point-in-time recovery. What exists is
kept; repeating it changes nothing. API keys that the audit log here says were revoked stay revoked.
A file that contains API keys needs one of --keep-api-keys and --revoke-api-keys, for those that do not exist here. Without
an installation, one is created on this machine.`;

const report = (source: string, tally: Tally, { written, unchanged, kept }: Restored): string =>
  [
    `${source} contains ${tally.text()}. Restored: ${written}. Already there: ${unchanged}.`,
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
  ...OF_INSTALLATION,
  from: {
    type: 'string',
    says: [
      '--from KEYFILE',
      'accept a backup of the installation where "npm run --silent vault-key" printed it',
    ],
  },
  'from-table': {
    type: 'string',
    says: ['--from-table NAME', 'the copy; its name begins with that of the table and "-restored-"'],
  },
  'keep-api-keys': {
    type: 'boolean',
    default: false,
    says: ['--keep-api-keys', 'applications can use the restored API keys'],
  },
  'revoke-api-keys': {
    type: 'boolean',
    default: false,
    says: ['--revoke-api-keys', 'restored API keys are revoked: create new ones for the applications'],
  },
} as const;

type Values = Given<typeof OPTIONS>['values'];

const apiKeysOf = ({ tally, at }: CompleteBackup, values: Values): ApiKeyChoice => {
  const { 'keep-api-keys': keep, 'revoke-api-keys': revoke } = values;
  if (keep !== revoke || (tally.apiKeys === 0 && !keep)) return keep ? 'keep' : 'revoke';
  throw new CommandError(
    `The backup of ${at} contains API keys: choose one of --keep-api-keys (applications can use them, but for those that the audit log here says were revoked) and --revoke-api-keys (they are restored as revoked).`,
  );
};

const restoreFile = async (file: string, values: Values): Promise<string> => {
  const trusted = values.from === undefined ? undefined : readInstallation(values.from).signingKeys;
  // Before an installation is created.
  const backup = await readBackup(file);
  const apiKeys = apiKeysOf(backup, values);
  const installation = await openInstallation({ stage: await chooseInstallation(values), create: true });
  try {
    const restored = await loadBackup(installation, backup, { trusted, apiKeys });
    await installation.close();
    return report(`The backup of ${backup.at}`, backup.tally, restored);
  } catch (error) {
    await installation.close();
    installation.remove?.();
    throw error;
  }
};

const restoreTable = ({
  'from-table': name = '',
  'revoke-api-keys': revoke,
  ...which
}: Values): Promise<string> =>
  withInstallation(which, async (installation) => {
    const { tally, restored } = await restoreFromTable(installation, name, revoke ? 'revoke' : 'keep');
    return report(`The table ${name}`, tally, restored);
  });

await runWithArguments(
  { usage: USAGE, options: OPTIONS, counts: [0, 1] },
  async ({ values, positionals: [file] }) => {
    if ((file === undefined) === (values['from-table'] === undefined))
      throw new UsageError('Name a file or a table.');
    return file === undefined ? restoreTable(values) : restoreFile(file, values);
  },
);
