import type { InputOf } from '../../../contract/endpoint.ts';
import type { backupRestore } from '../../../contract/functions/commands.ts';
import type { BackupRecord, PageWithLines, Restored } from '../../../contract/shapes/backup.ts';
import { auditChange, type Change } from '../audit.ts';
import { addProtection, LABEL_PROTECTION, readProtection } from '../prompts/protection.ts';
import type { RowOf } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, transact } from '../transactions.ts';
import { vaultIn } from '../vault/vault.ts';
import { rebuildRestrictions, restoreApiKey, revokedIds } from './restore-api-keys.ts';
import { restorePrompts } from './restore-prompts.ts';
import { restoreSecrets } from './restore-secrets.ts';
import { type Outcome, summarize } from './restored.ts';
import { placeOfRow, rowsOfType } from './signed-records.ts';
import { verifiedRecords } from './verify.ts';

const ofType = <Type extends BackupRecord['type']>(records: readonly BackupRecord[], type: Type) =>
  records.filter((record): record is Extract<BackupRecord, { type: Type }> => record.type === type);

const KNOWN: readonly string[] = [
  'protected-labels',
  'api-key',
  'version',
  'prompt-row',
  'prompt',
  'secret',
  // Adopted by another command.
  'key-pair',
  // Says only what is missing.
  'refused',
] satisfies readonly BackupRecord['type'][];

const unknownIn = (records: readonly { readonly type: unknown }[]): Outcome[] =>
  records
    .map(({ type }) => String(type))
    .filter((type) => !KNOWN.includes(type))
    .map((type) => ({ kind: 'unknown record', id: '-', name: type }));

/** Protects the labels of a backup, too. */
const restoreProtection = async (
  table: Table,
  change: Change,
  row: RowOf<typeof LABEL_PROTECTION>,
): Promise<Outcome> => {
  const { labels } = row;
  const { found, condition } = await placeOfRow(table, 'protected-labels', row);
  if (found === undefined) {
    // Above every revision that the lost row had.
    const Item = await signedItem(table, LABEL_PROTECTION, { rev: change.at.getTime(), labels });
    await transact(table, [
      { put: { Item, ...condition }, onConditionFailed: () => new ConflictError('list of protected labels') },
      ...labels.map(({ label }) =>
        auditChange(table, change, { action: 'label.protect', subject: label, name: label }),
      ),
    ]);
    return 'written';
  }
  const missing = labels.filter(({ label }) => !found.labels.some((each) => each.label === label));
  for (const label of missing) await addProtection(table, change, await readProtection(table), label);
  return missing.length === 0 ? 'unchanged' : 'written';
};

/**
 * Restores a page of a backup. Every row is signed again, after the signature of the page has been verified. What
 * exists is kept, so restoring a page twice changes nothing.
 */
export const restorePage = async (
  table: Table,
  by: Omit<Change, 'at'>,
  made: PageWithLines,
  { trusted, apiKeys }: Pick<InputOf<typeof backupRestore.input>, 'trusted' | 'apiKeys'>,
): Promise<Restored> => {
  const records = verifiedRecords(table, made, trusted);
  // A page can take minutes, and an entry of the audit log must not be older than what is already sealed.
  const change = (): Change => ({ ...by, at: new Date() });
  const labels: Outcome[] = [];
  for (const row of rowsOfType(records, 'protected-labels'))
    labels.push(await restoreProtection(table, change(), row));
  // One after the other: the keys that are limited to tags share a row.
  const keys: Outcome[] = [];
  const backedUp = rowsOfType(records, 'api-key');
  const revoked = backedUp.length === 0 ? new Set<string>() : await revokedIds(table, new Date());
  if (backedUp.length > 0) await rebuildRestrictions(table, new Date());
  for (const row of backedUp) keys.push(await restoreApiKey(table, change(), row, apiKeys, revoked));
  const prompts = await restorePrompts(table, change, {
    rows: ofType(records, 'prompt-row'),
    versions: rowsOfType(records, 'version'),
    heads: rowsOfType(records, 'prompt'),
  });
  const secrets: Outcome[] = [];
  for (const [environment, own] of Map.groupBy(ofType(records, 'secret'), (each) => each.environment))
    secrets.push(...(await restoreSecrets(vaultIn(table, environment), change(), made.page, own)));
  return summarize([...unknownIn(records), ...labels, ...keys, ...prompts, ...secrets]);
};
