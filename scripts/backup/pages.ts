import {
  type BackupPage,
  type PageWithLines,
  type Position,
  type Recipient,
  SECTIONS,
} from '../../contract/shapes/backup.ts';
import type { Installation } from '../aws/reply.ts';

const FIRST: Position = { section: SECTIONS[0] };

export interface PagesRequest {
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
