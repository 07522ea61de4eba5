import { coversEnvironment } from '../../../contract/fields/patterns.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import {
  canWiden,
  fitsInRow,
  gaining,
  isRestricted,
  type Restriction,
  type TagsChange,
  tooManyRestricted,
  unexpired,
  wouldWidenAccess,
} from '../../core/api-keys/restrictions.ts';
import { inParallel } from '../../core/parallel.ts';
import type { Change } from '../audit.ts';
import { json, number, type RowOf, readSingleton, signedKind } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError, onlyIf, type Write } from '../transactions.ts';
import { findApiKey } from './api-key-row.ts';

export const RESTRICTIONS_KEY: Key = { pk: PARTITIONS.restrictions, sk: 'KEYS' };

/** How the one row of restrictions is stored and signed. */
export const RESTRICTIONS = signedKind({
  domain: 'restrictions',
  keyOf: () => RESTRICTIONS_KEY,
  revisionOf: ({ revision }) => revision,
  fields: { revision: number, keys: json<readonly Restriction[]>() },
  optional: {},
});

/** The restrictions of all active API keys that are limited to tags. It can include keys that were revoked since. */
export type Restrictions = RowOf<typeof RESTRICTIONS>;

/** The row, strongly consistent. */
export const readRestrictions = (table: Table): Promise<Restrictions> =>
  readSingleton(table, RESTRICTIONS, RESTRICTIONS_KEY);

/** Requires, in a transaction, that no restricted key was created since the row was read. */
const restrictionsUnchanged = ({ revision }: Restrictions): Write => ({
  check: { Key: RESTRICTIONS_KEY, ...onlyIf({ revision }) },
  onConditionFailed: () => new ConflictError('list of API keys'),
});

/**
 * The restrictions whose keys still read secrets and are not revoked. Revoking leaves the row as it is, because the
 * function that revokes cannot sign: the record of a key decides.
 */
const unrevoked = async (table: Table, restrictions: readonly Restriction[]) => {
  const records = await inParallel(restrictions, ({ keyId }) => findApiKey(table, keyId));
  return restrictions.filter((_, index) => {
    const record = records[index];
    return record !== undefined && record.revokedAt === undefined && isRestricted(record);
  });
};

/**
 * Adds the restriction of a key or replaces it, in the transaction that writes the key; the write fails with
 * `ConflictError` if the row has changed. Expired and revoked keys are removed.
 */
export const putRestriction = async (table: Table, restriction: Restriction, now: Date): Promise<Write> => {
  const seen = await readRestrictions(table);
  const others = unexpired(seen.keys, now).filter(({ keyId }) => keyId !== restriction.keyId);
  const keys = [...(await unrevoked(table, others)), restriction];
  if (!fitsInRow(keys)) throw tooManyRestricted();
  const { revision } = seen;
  const next = { revision: revision + 1, keys };
  return putSigned(table, RESTRICTIONS, next, { revision }, 'list of API keys');
};

/** The vault of an environment. */
type InEnvironment = Table & { readonly environment: string };

/**
 * The keys that gain access to an existing secret by these changes, and what their transaction must check for that to
 * stay true.
 */
export const wideningOf = async (vault: InEnvironment, at: Date, changes: readonly TagsChange[]) => {
  const candidates = changes.filter(canWiden);
  if (candidates.length === 0) return { keys: [], writes: [] };
  const restrictions = await readRestrictions(vault);
  const readers = unexpired(restrictions.keys, at).filter(({ environments }) =>
    coversEnvironment(environments, vault.environment),
  );
  const gained = gaining(readers, candidates);
  return { keys: await unrevoked(vault, gained), writes: [restrictionsUnchanged(restrictions)] };
};

/**
 * Refuses changes that would let a restricted API key read an existing secret which it cannot read now, unless an
 * administrator has confirmed it.
 */
export const requireMayWiden = async (
  vault: InEnvironment,
  change: Change,
  changes: readonly TagsChange[],
) => {
  const widening = await wideningOf(vault, change.at, changes);
  if (widening.keys.length > 0 && change.mayWidenAccess !== true) throw wouldWidenAccess(widening.keys);
  return widening;
};
