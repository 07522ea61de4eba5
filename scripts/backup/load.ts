import type { ApiKeyChoice, BackupRecord, PageWithLines, Restored } from '../../contract/backup.ts';
import { packLines } from '../../lambdas/core/backup/backup-pages.ts';
import { CommandError } from '../aws/stack.ts';
import { createTally, type FilePage, pagesOf, type Tally } from './file.ts';
import type { Installation } from './installation.ts';

/** A backup that was read to its end. */
export interface CompleteBackup {
  readonly file: string;
  readonly tally: Tally;
  /** Time of the first page. */
  readonly at: string;
}

export interface RestoreOptions {
  /** Public keys of the installation that made the backup, if it is not this one. */
  readonly trusted?: string | undefined;
  /** @default 'keep' */
  readonly apiKeys?: ApiKeyChoice | undefined;
}

/** Reads a backup to its end. Errors: `CommandError` if it is not a backup, damaged or incomplete. */
export const readBackup = async (file: string): Promise<CompleteBackup> => {
  const tally = createTally();
  let last: FilePage['page'] | undefined;
  let at = '';
  for await (const { page, records } of pagesOf(file)) {
    tally.add(records);
    if (last === undefined) at = page.at;
    last = page;
  }
  if (last !== undefined && last.next === undefined) return { file, tally, at };
  throw new CommandError(
    `${file} is incomplete: it ends after page ${last?.number}. Complete it with "npm run backup" and the same options.`,
  );
};

const isKeyPair = ({ type }: BackupRecord): boolean => type === 'key-pair';

/**
 * Restores a backup. What exists is kept, so repeating it, or continuing it after an interruption, changes nothing that
 * is there. Errors: `CommandError`.
 */
export const loadBackup = async (
  installation: Installation,
  { file }: CompleteBackup,
  { trusted, apiKeys = 'keep' }: RestoreOptions = {},
): Promise<Restored> => {
  let written = 0;
  let unchanged = 0;
  const kept: Restored['kept'][number][] = [];
  const restore = async (page: PageWithLines) => {
    const done = (await installation.invoke('backup-restore', { ...page, trusted, apiKeys })) as Restored;
    written += done.written;
    unchanged += done.unchanged;
    kept.push(...done.kept);
  };
  for await (const { page, text, records } of pagesOf(file)) {
    const made = { page, lines: packLines(text) };
    // Only the values in a backup need its key pairs.
    if (records.some(isKeyPair) && records.some(({ type }) => type === 'secret'))
      await installation.invoke('backup-adopt-keys', { ...made, trusted });
    await restore(made);
  }
  return { written, unchanged, kept };
};
