import type { ApiKeyChoice, BackupRecord } from '../../../contract/backup.ts';
import { isRestricted, restrictionOf } from '../../core/api-keys/restrictions.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { CuevaultError, isCuevaultError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { putRestriction } from '../api-keys/restrictions.ts';
import { auditChange, type Change, stamp } from '../audit.ts';
import { retryOnConflict } from '../retry.ts';
import { readRow } from '../signing/rows.ts';
import { signedItem, toItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { onlyIf, transact } from '../transactions.ts';
import { isSameRow, type Outcome } from './restored.ts';

type ApiKeyRecord = Extract<BackupRecord, { type: 'api-key' }>;

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

/** Restores the record of an API key unless one exists: a key that was revoked since stays revoked. */
export const restoreApiKey = async (
  table: Table,
  change: Change,
  { keyId: id, name, item }: ApiKeyRecord,
  apiKeys: ApiKeyChoice,
): Promise<Outcome> => {
  const backedUp = { ...API_KEY.fromItem(item), keyId: id };
  const record = chosen(backedUp, apiKeys, change);
  const isRevoked = record.revokedAt !== undefined;
  const found = await readRow(table, API_KEY, API_KEY.keyOf(record));
  if (found !== undefined)
    return isSame(found, backedUp) || isSame(found, record) ? 'unchanged' : { kind: 'API key', id, name };
  const { hash: _, ...revoked } = toItem(API_KEY, record);
  const Item = isRevoked ? revoked : await signedItem(table, API_KEY, record);
  const isLimited = !isRevoked && isRestricted(record);
  try {
    await retryOnConflict(async () =>
      transact(table, [
        { put: { Item, ...onlyIf() }, onConditionFailed: created },
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
