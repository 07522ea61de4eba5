import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { secretsList } from '../../../contract/endpoints/secrets/secrets-list.ts';
import { distinct, holds, type ListPage, pageOfList } from '../../core/lists/lists.ts';
import { isRotationUnfinished, type SecretSummary } from '../../core/vault/secrets.ts';
import { apiKeyNames } from '../api-keys/api-keys.ts';
import { createDailyCache } from '../daily-cache.ts';
import { findSecret, listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { createReadSecrets, readsBySecret, type SecretReads, secretReadsOf } from '../usage/secret-reads.ts';
import { readersOf } from './secret-readers.ts';

const KNOWN_DAYS = 30;

type SecretDetails = ReplyTo<'secrets-get'>;
/** When a secret was last read, and by which API key. */
type NamedRead = NonNullable<SecretDetails['lastRead']>;

/** The last read of each secret within 30 days up to `now`, by secret id. Errors: `unavailable`. */
export type LastReads = (now: Date) => Promise<ReadonlyMap<string, NamedRead>>;

/** Reads the reads of the last days up to `now`, oldest first. Errors: `unavailable`. */
export type ReadDays = (days: number, now: Date) => Promise<SecretReads[][]>;

/** Size of a counter with its texts: 257 bytes, measured with 100,000 of them in Node.js 24. */
const READ_BYTES = 300;

/** Reads reads; past days are cached. */
export const createReadDays = (table: Table): ReadDays =>
  createDailyCache(
    (day) => secretReadsOf(table, day),
    (reads) => READ_BYTES * (1 + reads.length),
  );

/** Looks up last reads. */
export const createLastReads = (table: Table): LastReads => {
  const readDays = createReadDays(table);
  const readSecretsOf = createReadSecrets(table);
  return async (now) => {
    const [days, names] = await Promise.all([readDays(KNOWN_DAYS, now), apiKeyNames(table)]);
    const reads = await readsBySecret(readSecretsOf, days.flat());
    return new Map(
      [...reads].map(([secretId, { lastAt, apiKeyId }]) => [
        secretId,
        { at: lastAt, apiKeyId, apiKeyName: names.get(apiKeyId) ?? '' },
      ]),
    );
  };
};

type SecretRow = SecretSummary & Pick<SecretDetails, 'lastRead'>;

const SORTINGS = {
  key: ({ key }: SecretRow) => key.toLowerCase(),
  changed: ({ changedAt }: SecretRow) => changedAt,
  read: ({ lastRead }: SecretRow) => lastRead?.at ?? '',
};

export type SecretListing = InputOf<typeof secretsList.query>;

const matches = (row: SecretRow, { q, tag, read, rotateBy, unfinished }: SecretListing): boolean =>
  (q === undefined || holds([row.key, ...row.tags], q)) &&
  (tag === undefined || row.tags.includes(tag)) &&
  (unfinished === undefined || isRotationUnfinished(row) === unfinished) &&
  (read === undefined || (row.lastRead !== null) === read) &&
  (rotateBy === undefined || (row.rotateBy !== undefined && row.rotateBy <= rotateBy));

/** With all tags in use. */
type SecretRows = ListPage<SecretRow> & { readonly tags: readonly string[] };

/**
 * One page of matching secrets, without values, with the last read of each.
 * Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listSecretRows = async (
  table: Table,
  lastReads: LastReads,
  now: Date,
  listing: SecretListing,
): Promise<SecretRows> => {
  const [secrets, reads] = await Promise.all([listSecrets(table), lastReads(now)]);
  const rows = secrets
    .map((secret) => ({ ...secret, lastRead: reads.get(secret.secretId) ?? null }))
    .filter((row) => matches(row, listing));
  const sorting = {
    keyOf: SORTINGS[listing.sort],
    idOf: ({ key }: SecretRow) => key,
    descending: listing.order === 'desc',
  };
  return { ...pageOfList(rows, sorting, listing), tags: distinct(secrets.flatMap(({ tags }) => tags)) };
};

/** Looks up the details of a secret, without its value. Errors: `secret_not_found`, `unavailable`. */
export const createSecretDetails = (table: Table) => {
  const readDays = createReadDays(table);
  const readSecretsOf = createReadSecrets(table);
  return async (secretId: string, now: Date): Promise<SecretDetails> => {
    const [found, days] = await Promise.all([findSecret(table, secretId), readDays(KNOWN_DAYS, now)]);
    const readers = await readersOf(table, readSecretsOf, days.flat(), found, now);
    const [last] = readers;
    const lastRead =
      last === undefined || last.lastAt === null
        ? null
        : { at: last.lastAt, apiKeyId: last.apiKeyId, apiKeyName: last.apiKeyName };
    return { ...found, lastRead, readers };
  };
};
