// Restores a file that "npm run backup" wrote: npm run restore -- FILE
import { dataFolderOf } from '../../local/settings.ts';
import { runWithArguments } from '../aws/command.ts';
import { openInstallation } from './installation.ts';
import { type CompleteBackup, loadBackup, type RestoreReport, readBackup } from './load.ts';
import { readInstallation } from './options.ts';
import { refusedText } from './tally.ts';

const USAGE = `Usage: npm run restore -- FILE [--stage prod] [--from KEYFILE]

Restores the prompts, secrets and API keys in FILE. What exists is kept; repeating it changes nothing.

  --stage NAME    a deployment on AWS; without it, the installation in CUEVAULT_DATA
  --from KEYFILE  accept a backup of another installation; KEYFILE is what "npm run --silent vault-key" prints there`;

const report = ({ tally, at }: CompleteBackup, { written, unchanged, kept }: RestoreReport): string =>
  [
    `The backup of ${at} contains ${tally.text()}. Restored: ${written}. Already there: ${unchanged}.`,
    ...(kept.length === 0
      ? []
      : [
          `Not restored, because they exist with other content: ${kept.length}`,
          ...kept.map(({ kind, id, name }) => `  ${kind} ${id} "${name}"`),
        ]),
    ...(tally.refused.length === 0 ? [] : [refusedText(tally)]),
    ...(written === 0
      ? []
      : [
          'Items that were deleted or revoked after the backup may exist again: see "After a restore" in docs/operations.md.',
        ]),
  ].join('\n');

const OPTIONS = { stage: { type: 'string' }, from: { type: 'string' } } as const;

await runWithArguments({ usage: USAGE, options: OPTIONS, counts: [1] }, async ({ values, positionals }) => {
  const [file = ''] = positionals;
  const trusted = values.from === undefined ? undefined : readInstallation(values.from).signingKeys;
  // Before an installation is created.
  const backup = await readBackup(file);
  const dataFolder = dataFolderOf(process.env);
  const { stage } = values;
  const installation = await openInstallation({ stage, dataFolder, create: true });
  try {
    const restored = report(backup, await loadBackup(installation, backup, { trusted }));
    await installation.close();
    return restored;
  } catch (error) {
    await installation.abandon();
    throw error;
  }
});
