import { PARTITIONS } from '../../../contract/table.ts';
import {
  fitsInRow,
  isRestricted,
  type Restriction,
  tooManyRestricted,
  unexpired,
} from '../../core/api-keys/restrictions.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { json, number, type RowOf, readRow, signedKind } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError, onlyIf, type Write } from '../transactions.ts';
import { findApiKey } from './api-key-row.ts';

const KEY: Key = { pk: PARTITIONS.restrictions, sk: 'KEYS' };

/** How the one row of restrictions is stored and signed. */
export const RESTRICTIONS = signedKind({
  domain: 'restrictions',
  partition: 'restrictions',
  sk: KEY.sk,
  keyOf: () => KEY,
  revisionOf: ({ revision }) => revision,
  fields: { revision: number, keys: json<readonly Restriction[]>() },
  optional: {},
});

/** The restrictions of all active API keys that are limited to tags. It can include keys that were revoked since. */
export type Restrictions = RowOf<typeof RESTRICTIONS>;

/** The row, strongly consistent. Errors: `integrity`, also if it is missing: the vault has it from the start. */
export const readRestrictions = async (table: Table): Promise<Restrictions> => {
  const found = await readRow(table, RESTRICTIONS, KEY);
  if (found === undefined) throw new IntegrityError(KEY, 'it is missing');
  return found;
};

/** Requires, in a transaction, that no restricted key was created since the row was read. */
export const restrictionsUnchanged = ({ revision }: Restrictions): Write => ({
  check: { Key: KEY, ...onlyIf({ revision }) },
  onConditionFailed: () => new ConflictError('vault'),
});

/**
 * The restrictions whose keys still read secrets and are not revoked. Revoking leaves the row as it is, because the
 * function that revokes cannot sign: the record of a key decides. Errors: `integrity`, `unavailable`.
 */
export const unrevoked = async (
  table: Table,
  restrictions: readonly Restriction[],
): Promise<readonly Restriction[]> => {
  const records = await inParallel(restrictions, ({ keyId }) => findApiKey(table, keyId));
  return restrictions.filter((_, index) => {
    const record = records[index];
    return record !== undefined && record.revokedAt === undefined && isRestricted(record);
  });
};

/**
 * Adds the restriction of a key or replaces it, in the transaction that writes the key; the write fails with
 * `ConflictError` if the row has changed. Expired and revoked keys are removed. Errors: `too_many_restricted_keys`, `integrity`, `unavailable`.
 */
export const putRestriction = async (table: Table, restriction: Restriction, now: Date): Promise<Write> => {
  const seen = await readRestrictions(table);
  const others = unexpired(seen.keys, now).filter(({ keyId }) => keyId !== restriction.keyId);
  const keys = [...(await unrevoked(table, others)), restriction];
  if (!fitsInRow(keys)) throw tooManyRestricted();
  const { revision } = seen;
  const changed = () => new ConflictError('list of API keys');
  return putSigned(table, RESTRICTIONS, { revision: revision + 1, keys }, { revision }, changed);
};
