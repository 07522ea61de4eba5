import { PARTITIONS } from '../../../contract/table.ts';
import { ConflictError } from '../../core/errors.ts';
import { fromRow, toRow } from '../../core/vault/pages.ts';
import type { SealedValue, SecretEntry } from '../../core/vault/secrets.ts';
import {
  getItem,
  type Item,
  type Key,
  putItem,
  queryItems,
  type Table,
  updateItem,
  type Write,
} from '../table.ts';

import { notMarkedForPurge } from './purge-marks.ts';

/** A deleted secret as it was, with its last value. */
export interface DeletedSecret {
  readonly entry: SecretEntry;
  /** ISO 8601 in UTC. */
  readonly deletedAt: string;
  readonly deletedBy: string;
}

const DELETED = 'DELETED#';

/** The key of a deleted secret's row. */
export const deletedKey = (secretId: string): Key => ({ pk: PARTITIONS.vault, sk: DELETED + secretId });

const toItem = ({ entry, deletedAt, deletedBy }: DeletedSecret): Item => ({
  ...deletedKey(entry.secretId),
  entry: toRow(entry),
  keyVersion: entry.keyVersion,
  deletedAt,
  deletedBy,
});

const fromItem = (item: Item): DeletedSecret => ({
  entry: fromRow(item.entry as unknown[]),
  deletedAt: item.deletedAt as string,
  deletedBy: item.deletedBy as string,
});

/** Writes a deleted secret's row in the transaction that takes it out of its page. */
export const addDeleted = (deleted: DeletedSecret): Write => ({ put: { Item: toItem(deleted) } });

/** Writes a deleted secret's row by itself. Errors: `unavailable`. */
export const putDeleted = (table: Table, deleted: DeletedSecret): Promise<void> =>
  putItem(table, toItem(deleted));

/** Removes the row in the transaction that puts the secret back into a page. */
export const takeDeleted = ({ entry }: DeletedSecret): Write => ({
  remove: { Key: deletedKey(entry.secretId), ConditionExpression: notMarkedForPurge },
  onConditionFailed: () => new ConflictError('vault'),
});

/** A deleted secret that is still kept. Errors: `unavailable`. */
export const findDeleted = async (table: Table, secretId: string): Promise<DeletedSecret | undefined> => {
  const item = await getItem(table, deletedKey(secretId));
  return item === undefined || item.purging === true ? undefined : fromItem(item);
};

/** Every deleted secret that is still kept. Errors: `unavailable`. */
export async function* listDeleted(table: Table): AsyncGenerator<DeletedSecret> {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vault, ':start': DELETED },
  };
  for await (const item of queryItems(table, query)) yield fromItem(item);
}

/** Puts a newly sealed box in the place of an older one. Does nothing where that has gone. Errors: `unavailable`. */
export const resealDeleted = async (
  table: Table,
  { entry, deletedAt }: DeletedSecret,
  fresh: Pick<SealedValue, 'box' | 'keyVersion'>,
): Promise<void> => {
  await updateItem(table, {
    Key: deletedKey(entry.secretId),
    UpdateExpression: 'SET entry = :entry, keyVersion = :fresh',
    ConditionExpression: 'keyVersion = :old AND deletedAt = :at',
    ExpressionAttributeValues: {
      ':entry': toRow({ ...entry, ...fresh }),
      ':fresh': fresh.keyVersion,
      ':old': entry.keyVersion,
      ':at': deletedAt,
    },
  });
};
