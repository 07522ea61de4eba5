import type { BackupRecord, PageWithLines, Restored } from '../../../contract/backup.ts';
import { inParallel } from '../../core/parallel.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { restoreApiKey } from './restore-api-keys.ts';
import { restorePrompts } from './restore-prompts.ts';
import { restoreSecrets } from './restore-secrets.ts';
import { summarize } from './restored.ts';
import { verifiedRecords } from './verify.ts';

const ofType = <Type extends BackupRecord['type']>(records: readonly BackupRecord[], type: Type) =>
  records.filter((record): record is Extract<BackupRecord, { type: Type }> => record.type === type);

/**
 * Restores a page of a backup. Every row is signed again, after the signature of the page has been verified. What
 * exists is kept, so restoring a page twice changes nothing. Errors: `invalid_request`, `vault_full`,
 * `changed_meanwhile`, `integrity`, `unavailable`.
 */
export const restorePage = async (
  table: Table,
  change: Change,
  made: PageWithLines,
  trusted?: string,
): Promise<Restored> => {
  const records = verifiedRecords(table, made, trusted);
  const keys = await inParallel(ofType(records, 'api-key'), (record) => restoreApiKey(table, change, record));
  const prompts = await restorePrompts(
    table,
    change,
    ofType(records, 'prompt-row'),
    ofType(records, 'prompt'),
  );
  const secrets = await restoreSecrets(table, change, made.page, ofType(records, 'secret'));
  return summarize([...keys, ...prompts, ...secrets]);
};
