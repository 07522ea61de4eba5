import type { SigningJwk } from '../../../contract/issuers.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { type BoundedCache, createBoundedCache } from '../../core/bounded-cache.ts';
import { getRow, json, number, type RowOf, signedKind, text } from '../signing/rows.ts';
import type { Key, Table } from '../table.ts';

/** The key of the row with an issuer's keys. */
const issuerKey = (issuer: string): Key => ({ pk: PARTITIONS.issuerKeys + issuer, sk: 'KEYS' });

/** The public keys of an issuer: one signed row, because some issuers name them alike. */
export const ISSUER_KEYS = signedKind({
  domain: 'issuer-keys',
  keyOf: ({ issuer }) => issuerKey(issuer),
  revisionOf: ({ revision }) => revision,
  fields: { issuer: text, revision: number, at: text, keys: json<readonly SigningJwk[]>() },
  optional: { problem: text },
});

/** The row of an issuer. */
export type IssuerKeys = RowOf<typeof ISSUER_KEYS>;

/** Reads the keys of an issuer, strongly consistent; undefined until they are fetched. */
export const findIssuerKeys = (table: Table, issuer: string): Promise<IssuerKeys | undefined> =>
  getRow(table, ISSUER_KEYS, issuerKey(issuer));

interface CachedKeys {
  readonly keys: readonly SigningJwk[];
  /** Milliseconds. */
  readonly at: number;
}

const CACHED_MS = 300_000;
const UNKNOWN_ID_MS = 60_000;
const CACHED_ISSUERS = 100;

const caches = new WeakMap<Table, BoundedCache<CachedKeys>>();

const cacheOf = (table: Table): BoundedCache<CachedKeys> => {
  const known = caches.get(table) ?? createBoundedCache<CachedKeys>(CACHED_ISSUERS);
  caches.set(table, known);
  return known;
};

/**
 * The key of an issuer with this id; undefined if it has none. A container holds keys for five minutes and, for an
 * unknown id, reads them again at most once a minute.
 */
export const issuerKeyOf = async (table: Table, issuer: string, kid: string, at: Date) => {
  const known = cacheOf(table).get(issuer);
  const found = known?.keys.find((key) => key.kid === kid);
  const age = known === undefined ? CACHED_MS : at.getTime() - known.at;
  if (age >= 0 && age < (found === undefined ? UNKNOWN_ID_MS : CACHED_MS)) return found;
  const { keys = [] } = (await findIssuerKeys(table, issuer)) ?? {};
  cacheOf(table).set(issuer, { keys, at: at.getTime() });
  return keys.find((key) => key.kid === kid);
};
