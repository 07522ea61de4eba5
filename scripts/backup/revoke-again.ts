// Revokes and deletes again what a restore brought back: npm run revoke-again -- --since TIME
import { dataFolderOf } from '../../local/settings.ts';
import { type Given, runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { openCopy } from '../sealed-log/copy.ts';
import { openHere } from '../sealed-log/here.ts';
import type { Source } from '../sealed-log/source.ts';
import { openStage } from '../sealed-log/stage.ts';
import { openInstallation } from './installation.ts';
import { type Result, readRevocations, repeatRevocations, type SealedChanges } from './undone.ts';

const USAGE = `Usage: npm run revoke-again -- --since TIME [--stage prod] [--folder COPY --public-key FILE] [--revoke] [--delete]

Lists the API keys that were revoked, and the prompts, versions and secrets that were deleted, after TIME and are usable
again, for example after a restore. It reads the sealed audit log. Repeating it changes nothing.

  --since TIME     time of the backup or of the point-in-time recovery, such as 2026-03-01T12:00:00Z
  --revoke         revoke these API keys again
  --delete         delete these prompts, versions and secrets again
  --stage NAME     a deployment on AWS; without it, the installation in CUEVAULT_DATA
  --folder COPY    read a copy of the sealed log, such as that of the former installation
  --public-key FILE  the public keys that verify the copy`;

const OPTIONS = {
  since: { type: 'string' },
  stage: { type: 'string' },
  folder: { type: 'string' },
  'public-key': { type: 'string' },
  revoke: { type: 'boolean', default: false },
  delete: { type: 'boolean', default: false },
} as const;

type Values = Given<typeof OPTIONS>['values'];

const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

const sinceOf = ({ since }: Values): string => {
  if (since === undefined)
    throw new CommandError(
      `--since is missing: name the time of the backup, such as --since 2026-03-01T12:00:00Z.\n\n${USAGE}`,
    );
  const at = TIME.test(since) ? new Date(since) : undefined;
  if (at === undefined || Number.isNaN(at.getTime()))
    throw new CommandError(`Give --since as a time in UTC, not "${since}".\n\n${USAGE}`);
  return at.toISOString();
};

const openLog = ({ folder, 'public-key': publicKey, stage }: Values): Promise<Source> => {
  if (folder === undefined)
    return stage === undefined ? openHere(dataFolderOf(process.env), publicKey) : openStage(stage, publicKey);
  if (publicKey === undefined) throw new CommandError(`--folder needs --public-key.\n\n${USAGE}`);
  return openCopy(folder, publicKey);
};

const readLog = async (values: Values): Promise<SealedChanges> => {
  const since = sinceOf(values);
  const source = await openLog(values);
  try {
    return await readRevocations(source, since);
  } finally {
    await source.close();
  }
};

const WORDS = { back: 'usable again', repeated: 'done again', failed: 'not done' } as const;

const lineOf = (result: Result): string[] => {
  if (result.state === 'gone') return [];
  const { action, subject, version, name, at } = result.revocation;
  const what = `${action} of ${at}: ${subject} "${name}"${version === undefined ? '' : ` ${version}`}`;
  return [`  ${WORDS[result.state]}: ${what}${result.state === 'failed' ? `: ${result.reason}` : ''}`];
};

const reportOf = ({ findings, sealedTo, revocations }: SealedChanges, results: readonly Result[]): string => {
  const lines = results.flatMap(lineOf);
  const left = results.some(({ state }) => state === 'back' || state === 'failed');
  if (left || findings.length > 0 || sealedTo === undefined) process.exitCode = 1;
  return [
    sealedTo === undefined
      ? 'There is no valid sealed log.'
      : `The audit log is sealed up to ${sealedTo}; later changes are not examined.`,
    `Revocations and deletions since then: ${revocations.length}. Undone: ${lines.length}.`,
    ...lines,
    ...findings.map(({ subject, problem }) => `  the log is not intact: ${subject}: ${problem}`),
    ...(results.some(({ state }) => state === 'back') ? ['Repeat them with --revoke and --delete.'] : []),
  ].join('\n');
};

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const changes = await readLog(values);
  const dataFolder = dataFolderOf(process.env);
  const installation = await openInstallation({ stage: values.stage, dataFolder });
  try {
    const keys = changes.revocations.filter(({ action }) => action === 'api-key.revoke');
    const others = changes.revocations.filter(({ action }) => action !== 'api-key.revoke');
    return reportOf(changes, [
      ...(await repeatRevocations(installation, keys, values.revoke)),
      ...(await repeatRevocations(installation, others, values.delete)),
    ]);
  } finally {
    await installation.close();
  }
});
