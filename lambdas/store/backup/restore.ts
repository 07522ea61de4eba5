import type { InputOf } from '../../../contract/endpoint.ts';
import type { backupRestore } from '../../../contract/functions/commands.ts';
import type { ApiKeyChoice, BackupRecord, PageWithLines, Restored } from '../../../contract/shapes/backup.ts';
import { isRestricted, type Restriction, restrictionOf } from '../../core/api-keys/restrictions.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { CuevaultError, isCuevaultError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { putRestriction, RESTRICTIONS, RESTRICTIONS_KEY } from '../api-keys/restrictions.ts';
import { auditChange, type Change, stamp } from '../audit.ts';
import { keptChanges } from '../audit-log.ts';
import { addProtection, LABEL_PROTECTION, readProtection } from '../prompts/protection.ts';
import { keyOfItem } from '../queries.ts';
import type { RowOf } from '../signing/rows.ts';
import { signedItem, toItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, retryOnConflict, transact } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { vaultIn } from '../vault/vault.ts';
import { indexRowsAfter } from './records.ts';
import { restorePrompts } from './restore-prompts.ts';
import { restoreSecrets } from './restore-secrets.ts';
import { isSameRow, type Outcome, placeOf, summarize } from './restored.ts';
import { placeOfRow, rowsOfType } from './signed-records.ts';
import { verifiedRecords } from './verify.ts';

const created = () => new CuevaultError('changed_meanwhile', 'The API key was just created by someone else.');

const chosen = (record: ApiKey, apiKeys: ApiKeyChoice, change: Change): ApiKey =>
  apiKeys === 'keep' || record.revokedAt !== undefined
    ? record
    : { ...record, hash: '', ...stamp(change, 'revoked') };

const unrevoked = ({ revokedAt: _, revokedBy: __, ...apiKey }: ApiKey): ApiKey => apiKey;

// When and by whom a key was revoked makes no difference.
const isSame = (found: ApiKey, record: ApiKey) =>
  isSameRow(API_KEY, unrevoked(found), unrevoked(record)) &&
  (found.revokedAt === undefined) === (record.revokedAt === undefined);

/** The ids of the API keys that the audit log says were revoked. */
const revokedIds = async (table: Table, now: Date): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for await (const { action, subject } of keptChanges(table, now))
    if (action === 'api-key.revoke') ids.add(String(subject));
  return ids;
};

/** Writes a new row of restrictions for the API keys that exist, if the row is missing or does not verify. */
const rebuildRestrictions = async (table: Table, now: Date) => {
  const { found, condition } = await placeOf(table, RESTRICTIONS, RESTRICTIONS_KEY);
  if (found !== undefined) return;
  const keys: Restriction[] = [];
  for await (const row of indexRowsAfter(table, 'apiKeys')) {
    const apiKey = (await placeOf(table, API_KEY, keyOfItem(row))).found;
    if (apiKey?.revokedAt === undefined && apiKey !== undefined && isRestricted(apiKey))
      keys.push(restrictionOf(apiKey));
  }
  // Above every revision that the lost row had.
  const Item = await signedItem(table, RESTRICTIONS, { revision: now.getTime(), keys });
  await putItemIf(table, { Item, ...condition });
};

/**
 * Restores the record of an API key unless one exists. A key that was revoked since, by its record or `revoked`, stays
 * revoked.
 */
const restoreApiKey = async (
  table: Table,
  change: Change,
  backedUp: ApiKey,
  apiKeys: ApiKeyChoice,
  revoked: ReadonlySet<string>,
): Promise<Outcome> => {
  const { keyId: id, name } = backedUp;
  const { found, condition } = await placeOfRow(table, 'api-key', backedUp);
  if (found !== undefined)
    return isSame(found, backedUp) || isSame(found, chosen(backedUp, apiKeys, change))
      ? 'unchanged'
      : { kind: 'API key', id, name };
  const record = chosen(backedUp, revoked.has(id) ? 'revoke' : apiKeys, change);
  const isRevoked = record.revokedAt !== undefined;
  const { hash: _, ...unsigned } = toItem(API_KEY, record);
  const Item = isRevoked ? unsigned : await signedItem(table, API_KEY, record);
  const isLimited = !isRevoked && isRestricted(record);
  try {
    await retryOnConflict(async () =>
      transact(table, [
        { put: { Item, ...condition }, onConditionFailed: created },
        // Without it, editors could give the tags of the key to secrets that it must not see.
        ...(isLimited ? [await putRestriction(table, restrictionOf(record), change.at)] : []),
        auditChange(table, change, { action: 'api-key.import', subject: id, name, details: { isRevoked } }),
      ]),
    );
    return 'written';
  } catch (error) {
    if (isCuevaultError(error, 'changed_meanwhile')) return { kind: 'API key', id, name };
    throw error;
  }
};

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
  if (backedUp.length > 0) {
    const revoked = await revokedIds(table, new Date());
    await rebuildRestrictions(table, new Date());
    for (const row of backedUp) keys.push(await restoreApiKey(table, change(), row, apiKeys, revoked));
  }
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
