import type { ReplyTo } from '../../../contract/documentation.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { daysAfter, later } from '../../core/days.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { isAboveReserved } from '../prompts/head.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { recentAccesses } from '../usage/access-lists.ts';
import type { AccessEntry } from '../usage/accesses.ts';
import { recentFetches } from './deletion-guard.ts';

type Callers = ReplyTo<'callers-list'>;

// An entry that does not record what was asked for may have followed the latest version; assume so, to warn.
const askedOf = ({ asked, label }: AccessEntry) => asked ?? (label === undefined ? 'latest' : 'label');

/** Identifies a caller: the key, and what it asks for. */
const groupOf = (entry: AccessEntry): string => {
  const asked = askedOf(entry);
  return JSON.stringify([entry.apiKeyId, asked, asked === 'version' ? entry.version : entry.label]);
};

const sentByAll = (compiled: readonly AccessEntry[]): readonly string[] | undefined => {
  const [first, ...others] = compiled.map(({ variables }) => variables);
  if (first === undefined || others.includes(undefined)) return undefined;
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
};

const callerOf = (entries: readonly AccessEntry[]): Callers['callers'] => {
  const last = entries.reduce<AccessEntry | undefined>(
    (latest, entry) => (latest !== undefined && latest.time > entry.time ? latest : entry),
    undefined,
  );
  if (last === undefined) return [];
  const compiled = entries.filter((entry) => entry.compiled);
  const variables = sentByAll(compiled);
  const { apiKeyId, apiKeyName, version, time, label } = last;
  return [
    {
      apiKeyId,
      apiKeyName,
      asked: askedOf(last),
      version,
      lastAt: time,
      fetches: entries.length,
      compiled: compiled.length,
      ...(label === undefined ? {} : { label }),
      ...(variables === undefined ? {} : { variables }),
    },
  ];
};

const endOf = (key: ApiKey | undefined, now: Date): Pick<Callers['callers'][number], 'ended'> => {
  const status = key === undefined ? 'active' : statusOf(key, now);
  return status === 'active' ? {} : { ended: status };
};

/**
 * Who fetched a prompt within the last seven days up to `now`, by API key and what it asked for, most fetches first.
 * Reads at most the latest `LIMITS.callerEntries` fetches.
 */
export const callersOf = async (table: Table, promptId: string, now: Date): Promise<Callers> => {
  const head = await readLiveHead(table, promptId);
  const weekAgo = daysAfter(now, -LIMITS.inUseDays).toISOString();
  const [{ since, entries }, counts, keys] = await Promise.all([
    recentAccesses(table, promptId, later(weekAgo, head.createdAt), now, LIMITS.callerEntries),
    recentFetches(table, head, undefined, now),
    allApiKeys(table),
  ]);
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  const seen = entries.filter(({ version }) => isAboveReserved(head, version));
  const callers = [...Map.groupBy(seen, groupOf).values()]
    .flatMap(callerOf)
    .map((caller) => ({ ...caller, ...endOf(byId.get(caller.apiKeyId), now) }))
    .sort((a, b) => b.fetches - a.fetches);
  const known = new Set(callers.map(({ apiKeyId }) => apiKeyId));
  const earlier = counts
    .filter(([apiKeyId]) => !known.has(apiKeyId))
    .map(([apiKeyId, fetches]) => ({ apiKeyId, apiKeyName: byId.get(apiKeyId)?.name ?? 'unknown', fetches }));
  return { since, callers, earlier };
};
