import type { BackupRecord } from '../../../contract/backup.ts';
import { ConflictError, isCuevaultError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { auditChange, type Change } from '../audit.ts';
import { readRow, signedItem } from '../signing/rows.ts';
import { type Table, transact } from '../table.ts';
import { isSameRow, type Outcome } from './restored.ts';

type ApiKeyRecord = Extract<BackupRecord, { type: 'api-key' }>;

/** Restores the record of an API key unless one exists: a key that was revoked since stays revoked. */
export const restoreApiKey = async (
  table: Table,
  change: Change,
  { keyId: id, name, item }: ApiKeyRecord,
): Promise<Outcome> => {
  const record = API_KEY.fromItem(item);
  const isRevoked = record.revokedAt !== undefined;
  const found = await readRow(table, API_KEY, API_KEY.keyOf(record));
  if (found !== undefined) {
    const isSame = isSameRow(API_KEY, found, record) && (found.revokedAt !== undefined) === isRevoked;
    return isSame ? 'unchanged' : { kind: 'API key', id, name };
  }
  const { pk, sk, hash: _, ...revoked } = API_KEY.toItem(record);
  const Item = isRevoked ? { pk, sk, ...revoked } : await signedItem(table, API_KEY, record);
  try {
    await transact(table, [
      {
        put: { Item, ConditionExpression: 'attribute_not_exists(pk)' },
        onConditionFailed: () => new ConflictError('prompt'),
      },
      auditChange(table, change, { action: 'api-key.import', subject: id, name, details: { isRevoked } }),
    ]);
    return 'written';
  } catch (error) {
    if (isCuevaultError(error, 'changed_meanwhile')) return { kind: 'API key', id, name };
    throw error;
  }
};
