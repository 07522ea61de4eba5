import {
  type ApiKeyChoice,
  type BackupPage,
  type BackupRecord,
  type PageWithLines,
  type Position,
  type Recipient,
  type Restored,
  SECTIONS,
} from '../../contract/shapes/backup.ts';
import { linesIn, packLines, recordIn, unpackLines } from '../../lambdas/core/backup/backup-pages.ts';
import { randomBase62 } from '../../lambdas/core/identifiers.ts';
import type { Installation } from '../aws/reply.ts';
import { CommandError } from '../aws/stack.ts';
import { createTally, pagesOf } from './file.ts';

const FIRST: Position = { section: SECTIONS[0] };

interface PagesRequest {
  readonly backupId: string;
  /** The page to continue after. @default - from the beginning */
  readonly last?: BackupPage | undefined;
  readonly recipients?: readonly Recipient[] | undefined;
  /** The name of a copy of the table to read. @default - the table */
  readonly fromTable?: string | undefined;
}

/** The pages of a backup, one after the other. Errors: `CommandError`. */
export async function* exportedPages(
  installation: Installation,
  { backupId, last: before, recipients, fromTable }: PagesRequest,
): AsyncGenerator<PageWithLines> {
  let last = before;
  do {
    const from = last?.next ?? FIRST;
    const request = { backupId, number: (last?.number ?? 0) + 1, previous: last?.digest ?? '', from };
    const made = (
      recipients !== undefined && from.section === 'vault'
        ? await installation.invoke('backup-reencrypt', { ...request, recipients })
        : await installation.invoke('backup-export', { ...request, show: 'page', fromTable })
    ) as PageWithLines;
    yield made;
    last = made.page;
  } while (last.next !== undefined);
}

export interface RestoreOptions {
  /** Public keys of the installation that made the backup, if it is not this one. */
  readonly trusted?: string | undefined;
  /** @default 'keep' */
  readonly apiKeys?: ApiKeyChoice | undefined;
}

/** Reads a backup to its end. `at` is the time of its first page. Errors: `CommandError` if it is not a backup, damaged or incomplete. */
export const readBackup = async (file: string) => {
  const tally = createTally();
  let last: BackupPage | undefined;
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

/** A backup that was read to its end. */
export type CompleteBackup = Awaited<ReturnType<typeof readBackup>>;

const isKeyPair = ({ type }: BackupRecord): boolean => type === 'key-pair';

interface LoadedPage {
  readonly made: PageWithLines;
  readonly records: readonly BackupRecord[];
}

/**
 * Restores the pages of a backup. What exists is kept, so repeating it, or continuing it after an interruption, changes
 * nothing that is there. Errors: `CommandError`.
 */
const loadPages = async (
  installation: Installation,
  pages: AsyncIterable<LoadedPage>,
  { trusted, apiKeys = 'keep' }: RestoreOptions,
): Promise<Restored> => {
  let written = 0;
  let unchanged = 0;
  const kept: Restored['kept'][number][] = [];
  for await (const { made, records } of pages) {
    // Only the values in a backup need its key pairs.
    if (records.some(isKeyPair) && records.some(({ type }) => type === 'secret'))
      await installation.invoke('backup-adopt-keys', { ...made, trusted });
    const done = (await installation.invoke('backup-restore', { ...made, trusted, apiKeys })) as Restored;
    written += done.written;
    unchanged += done.unchanged;
    kept.push(...done.kept);
  }
  return { written, unchanged, kept };
};

async function* pagesIn(file: string): AsyncGenerator<LoadedPage> {
  for await (const { page, text, records } of pagesOf(file))
    yield { made: { page, lines: packLines(text) }, records };
}

/** Restores a file. Errors: `CommandError`. */
export const loadBackup = (
  installation: Installation,
  { file }: CompleteBackup,
  options: RestoreOptions = {},
): Promise<Restored> => loadPages(installation, pagesIn(file), options);

/**
 * Restores what is missing or does not verify from a copy of the table, and returns what the copy contains, too. Errors:
 * `CommandError`.
 */
export const restoreFromTable = async (
  installation: Installation,
  fromTable: string,
  apiKeys?: ApiKeyChoice,
) => {
  const tally = createTally();
  async function* pages(): AsyncGenerator<LoadedPage> {
    for await (const made of exportedPages(installation, { backupId: randomBase62(22), fromTable })) {
      const records = linesIn(unpackLines(made.lines)).map(recordIn);
      tally.add(records);
      yield { made, records };
    }
  }
  return { restored: await loadPages(installation, pages(), { apiKeys }), tally };
};
