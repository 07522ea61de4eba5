import type { BackupRecord, PageWithLines, Restored } from '../../contract/backup.ts';
import { packLines } from '../../lambdas/core/backup/pages.ts';
import { CommandError } from '../aws/stack.ts';
import { type FilePage, pagesOf } from './file.ts';
import type { Installation } from './installation.ts';
import { createTally, type Tally } from './tally.ts';

export interface RestoreOptions {
  readonly file: string;
  /** Public keys of the installation that made the backup, if it is not this one. */
  readonly trusted?: string | undefined;
}

export interface RestoreReport {
  readonly backup: Tally;
  readonly written: number;
  readonly unchanged: number;
  readonly kept: Restored['kept'];
  /** Time of the first page. */
  readonly at: string;
}

/** Reads a backup to its end. Errors: `CommandError` if it is damaged or incomplete. */
const verifyFile = async (file: string): Promise<{ readonly tally: Tally; readonly at: string }> => {
  const tally = createTally();
  let last: FilePage['page'] | undefined;
  let at = '';
  for await (const { page, records } of pagesOf(file)) {
    tally.add(records);
    if (last === undefined) at = page.at;
    last = page;
  }
  if (last !== undefined && last.next === undefined) return { tally, at };
  throw new CommandError(
    `${file} is incomplete: it ends after page ${last?.number ?? 0}. Complete it with "npm run backup" and the same options. Nothing was restored.`,
  );
};

const isKeyPair = ({ type }: BackupRecord): boolean => type === 'key-pair';

/**
 * Restores a backup, after reading it to its end. What exists is kept, so repeating it, or continuing it after an
 * interruption, changes nothing that is there. Errors: `CommandError`.
 */
export const loadBackup = async (
  installation: Installation,
  { file, trusted }: RestoreOptions,
): Promise<RestoreReport> => {
  const { tally, at } = await verifyFile(file);
  let written = 0;
  let unchanged = 0;
  const kept: Restored['kept'] = [];
  const restore = async (command: string, page: PageWithLines) => {
    const done = (await installation.invoke(command, { ...page, trusted })) as Restored;
    written += done.written;
    unchanged += done.unchanged;
    kept.push(...done.kept);
  };
  for await (const { page, text, records } of pagesOf(file)) {
    const made = { page, lines: packLines(text) };
    // Only the values in a backup need its key pairs.
    if (records.some(isKeyPair) && records.some(({ type }) => type === 'secret'))
      await restore('backup-adopt-keys', made);
    await restore('backup-restore', made);
  }
  return { backup: tally, written, unchanged, kept, at };
};
