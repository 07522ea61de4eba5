import type { ApiKeyChoice } from '../../../contract/shapes/backup.ts';
import { isRestricted, type Restriction, restrictionOf } from '../../core/api-keys/restrictions.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { CuevaultError, isCuevaultError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { putRestriction, RESTRICTIONS, RESTRICTIONS_KEY } from '../api-keys/restrictions.ts';
import { auditChange, type Change, stamp } from '../audit.ts';
import { keptChanges } from '../audit-log.ts';
import { keyOfItem } from '../queries.ts';
import { signedItem, toItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { retryOnConflict, transact } from '../transactions.ts';
import { putItemIf } from '../updates.ts';
import { indexRowsAfter } from './records.ts';
import { isSameRow, type Outcome, placeOf } from './restored.ts';
import { placeOfRow } from './signed-records.ts';

const created = () => new CuevaultError('changed_meanwhile', 'The API key was just created by someone else.');

const chosen = (record: ApiKey, apiKeys: ApiKeyChoice, change: Change): ApiKey =>
  apiKeys === 'keep' || record.revokedAt !== undefined
    ? record
    : { ...record, hash: '', ...stamp(change, 'revoked') };

const unrevoked = ({ revokedAt: _, revokedBy: __, ...apiKey }: ApiKey): ApiKey => apiKey;

// When and by whom a key was revoked makes no difference.
const isSame = (found: ApiKey, record: ApiKey): boolean =>
  isSameRow(API_KEY, unrevoked(found), unrevoked(record)) &&
  (found.revokedAt === undefined) === (record.revokedAt === undefined);

/** The ids of the API keys that the audit log says were revoked. */
export const revokedIds = async (table: Table, now: Date): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for await (const { action, subject } of keptChanges(table, now))
    if (action === 'api-key.revoke') ids.add(String(subject));
  return ids;
};

/** Writes a new row of restrictions for the API keys that exist, if the row is missing or does not verify. */
export const rebuildRestrictions = async (table: Table, now: Date): Promise<void> => {
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
export const restoreApiKey = async (
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
