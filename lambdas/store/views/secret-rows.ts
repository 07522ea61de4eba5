import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { secretsList } from '../../../contract/endpoints/secrets.ts';
import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { daysAfter } from '../../core/days.ts';
import { isUnused } from '../../core/lists/day-ranges.ts';
import { choicesIn, holds, type ListPage, pageOfList } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { isRotationUnfinished, type SecretSummary } from '../../core/vault/values.ts';
import { apiKeyNames } from '../api-keys/api-keys.ts';
import { findSecret, listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { readSecretReads } from '../usage/days.ts';
import { createReadSecrets, readsBySecret } from '../usage/secret-reads.ts';
import type { Vault } from '../vault/vault.ts';
import { readersOf } from './secret-readers.ts';

type SecretDetails = ReplyTo<'secrets-get'>;
type SecretRow = SecretSummary &
  Pick<ReplyTo<'secrets-list'>['secrets'][number], 'lastRead' | 'readers' | 'forgottenIn'>;

/** Looks up the last read of each secret within 30 days up to `now`, and how many API keys read it, by secret id. */
export const createLastReads = (table: Table) => {
  const readSecretsOf = createReadSecrets(table);
  return async (now: Date) => {
    const [found, names] = await Promise.all([
      readSecretReads(table, LIMITS.shownDays, now),
      apiKeyNames(table),
    ]);
    const reads = await readsBySecret(readSecretsOf, found);
    return new Map(
      [...reads].map(([secretId, { lastAt, apiKeyId, readers }]) => [
        secretId,
        {
          lastRead: { at: lastAt, apiKeyId, apiKeyName: names.get(apiKeyId) ?? '' },
          readers: readers.length,
        },
      ]),
    );
  };
};

const SORTINGS = {
  key: ({ key }: SecretRow) => key.toLowerCase(),
  changed: ({ changedAt }: SecretRow) => changedAt,
  read: ({ lastRead }: SecretRow) => lastRead?.at ?? '',
};

export type SecretListing = InputOf<typeof secretsList.query>;

const matches = (
  row: SecretRow,
  { q, tag, read, rotateBy, unfinished }: SecretListing,
  unusedSince: string,
) =>
  (q === undefined || holds([row.key, ...row.tags], q)) &&
  (tag === undefined || row.tags.includes(tag)) &&
  (unfinished === undefined || isRotationUnfinished(row) === unfinished) &&
  (read === undefined ||
    (read ? row.lastRead !== null : isUnused(row.createdAt, row.lastRead?.at, unusedSince))) &&
  (rotateBy === undefined || (row.rotateBy !== undefined && row.rotateBy <= rotateBy));

/** With all tags in use. */
type SecretRows = ListPage<SecretRow> & { readonly tags: readonly string[] };

const NOT_READ = { lastRead: null, readers: 0 };

/** Of vaults, those that lack a key though it was read in a neighbouring one. Nobody forgets it in an unused `default`. */
const forgottenIn = (
  vaults: readonly Vault[],
  readersIn: ReadonlyMap<string, number>,
  isDefaultUsed: boolean,
) =>
  vaults
    .filter(
      ({ environment }, index) =>
        !readersIn.has(environment) &&
        (isDefaultUsed || environment !== DEFAULT_ENVIRONMENT) &&
        [vaults[index - 1], vaults[index + 1]].some((near) => near && readersIn.get(near.environment)),
    )
    .map(({ environment }) => environment);

/**
 * One page of matching secrets, without values, with the last read of each. Sorted by gaps, a key is listed with its
 * secrets in all of the vaults, and those that are probably forgotten somewhere come first.
 */
export const listSecretRows = async (
  vaults: readonly Vault[],
  lastReads: ReturnType<typeof createLastReads>,
  now: Date,
  listing: SecretListing,
): Promise<SecretRows> => {
  const [found, reads] = await Promise.all([inParallel(vaults, listSecrets), lastReads(now)]);
  const secrets = found.flat();
  const isDefaultUsed = secrets.some(({ environment }) => environment === DEFAULT_ENVIRONMENT);
  const byKey = Map.groupBy(secrets, ({ key }) => key);
  const all = [...byKey.values()].flatMap((ofKey) => {
    const read = ofKey.map((secret) => ({ ...secret, ...(reads.get(secret.secretId) ?? NOT_READ) }));
    const readersIn = new Map(read.map(({ environment, readers }) => [environment, readers]));
    const forgotten = forgottenIn(vaults, readersIn, isDefaultUsed);
    return read.map((secret): SecretRow => ({ ...secret, forgottenIn: forgotten }));
  });
  const rankOf = (row: SecretRow) =>
    row.forgottenIn.length > 0 ? 0 : (byKey.get(row.key)?.length ?? 0) < vaults.length ? 1 : 2;
  const unusedSince = daysAfter(now, -LIMITS.shownDays).toISOString();
  const fits = (row: SecretRow) => matches(row, listing, unusedSince);
  const fitting = all.filter(fits);
  const keys = new Set(fitting.map(({ key }) => key));
  const rows = listing.sort === 'gaps' ? all.filter(({ key }) => keys.has(key)) : fitting;
  const places = new Map(
    vaults.map(({ environment }, index) => [environment, String(index).padStart(2, '0')]),
  );
  const sorting = {
    sortedBy:
      listing.sort === 'gaps'
        ? (row: SecretRow) => `${rankOf(row)}${row.key.toLowerCase()}`
        : SORTINGS[listing.sort],
    // No key contains a control character.
    idOf: ({ key, environment }: SecretRow) => `${key}\n${places.get(environment)}`,
    descending: listing.order === 'desc',
  };
  return { ...pageOfList(rows, sorting, listing), tags: choicesIn(secrets.flatMap(({ tags }) => tags)) };
};

/** Looks up the details of a secret, without its value. */
export const createSecretDetails = (table: Table) => {
  const readSecretsOf = createReadSecrets(table);
  return async (vault: Vault, secretId: string, now: Date): Promise<SecretDetails> => {
    const [found, reads] = await Promise.all([
      findSecret(vault, secretId),
      readSecretReads(table, LIMITS.shownDays, now),
    ]);
    const readers = await readersOf(vault, readSecretsOf, reads, found, now);
    const [last] = readers;
    const lastRead =
      last === undefined || last.lastAt === null
        ? null
        : { at: last.lastAt, apiKeyId: last.apiKeyId, apiKeyName: last.apiKeyName };
    return { ...found, lastRead, readers };
  };
};
