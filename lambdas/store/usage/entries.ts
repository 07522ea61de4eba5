import { PARTITIONS } from '../../../contract/table.ts';
import { dayIn } from '../../core/days.ts';
import { missingText } from '../../core/prompts/templates.ts';
import type { Countable } from '../../core/usage/counting.ts';
import type { SecretFilter } from '../../core/vault/secrets.ts';
import { unsignedKind } from '../queries.ts';
import type { NewItem } from '../stream.ts';
import type { Item, Key } from '../table.ts';
import { ACCESS_ENTRY } from './access-lists.ts';
import { usageCounter } from './counters.ts';
import { type PendingCalls, PLACEHOLDER_LEFT } from './failed-calls.ts';
import { failureCounter } from './failure-counts.ts';
import { readCounter } from './secret-reads.ts';

/** An entry that is counted, and the counter that counts it. */
export interface Entry extends Countable {
  readonly counter: Key;
  readonly apiKeyId: string;
  /** The read, if the entry records one. */
  readonly read?: SecretRead;
}

/** The secrets in an audit entry. */
export interface SecretRead {
  readonly environment: string;
  readonly digest: string;
  readonly revision: number;
  readonly filter: SecretFilter;
  readonly restriction: readonly string[];
}

const SECRET_READ = unsignedKind<SecretRead>();

const ID = /^[^#]+$/;

/** Throws if an item lacks an attribute that every entry of its kind has. */
const idIn = (item: Item, name: string) => {
  const value = item[name];
  if (typeof value !== 'string' || !ID.test(value)) throw new Error(`The entry has no "${name}".`);
  return value;
};

const timeIn = (item: Item, name: string) => {
  const value = item[name];
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) {
    throw new Error(`The entry has no time "${name}".`);
  }
  return value;
};

const shardIn = ({ pk }: Item) => {
  const [shard] = /\d+$/.exec(String(pk)) ?? [];
  if (shard === undefined) throw new Error('The entry is in no shard.');
  return shard;
};

/** The calls of a row of failed calls. */
const failuresOf = (item: Item, sequence: string): Entry[] => {
  const at = timeIn(item, 'time');
  const promptId = idIn(item, 'promptId');
  if (!Array.isArray(item.calls)) throw new Error('The entry has no calls.');
  return (item.calls as PendingCalls[]).map(({ times, since, ...last }) => ({
    counter: failureCounter(at, promptId, last),
    source: 'failed',
    sequence,
    at,
    apiKeyId: last.apiKeyId,
    failure: { times, since, last },
  }));
};

/** The failing call that an access is if a placeholder was left. */
const leftIn = (item: Item, entry: Entry): Entry[] => {
  if (!Array.isArray(item.missing)) return [];
  const { apiKeyId, apiKeyName, sourceIp, label, asked, version, missing = [] } = ACCESS_ENTRY.fromItem(item);
  const called = { apiKeyId, apiKeyName, sourceIp, asked, version, label };
  const last = { code: PLACEHOLDER_LEFT, reason: missingText(missing), ...called };
  const counter = failureCounter(entry.at, idIn(item, 'promptId'), last);
  return [{ ...entry, counter, failure: { times: 1, since: entry.at, last } }];
};

const accessOf = (item: Item, sequence: string): Entry => {
  const at = timeIn(item, 'time');
  const apiKeyId = idIn(item, 'apiKeyId');
  const use = { promptId: idIn(item, 'promptId'), version: idIn(item, 'version'), apiKeyId };
  return { counter: usageCounter(dayIn(at), use), source: shardIn(item), sequence, at, apiKeyId };
};

const readOf = (item: Item, sequence: string): Entry => {
  const at = timeIn(item, 'at');
  const apiKeyId = idIn(item, 'apiKeyId');
  const digest = idIn(item, 'digest');
  const { environment, revision, filter, restriction } = SECRET_READ.fromItem(item);
  if (typeof filter !== 'object' || !Array.isArray(restriction)) {
    throw new Error('The entry does not say what was asked for.');
  }
  return {
    counter: readCounter(dayIn(at), { apiKeyId, digest }),
    source: shardIn(item),
    sequence,
    at,
    apiKeyId,
    revision,
    read: { environment, digest, revision, filter, restriction },
  };
};

const entriesIn = (item: Item, sequence: string): Entry[] => {
  const pk = String(item.pk);
  if (pk.startsWith(PARTITIONS.failed)) return failuresOf(item, sequence);
  const entry = pk.startsWith(PARTITIONS.access) ? accessOf(item, sequence) : readOf(item, sequence);
  return [entry, ...leftIn(item, entry)];
};

/**
 * Reads the entries in a record of the stream, with the failing calls in them. Those of a batch that is replayed are a
 * source of their own, because the counters have gone past their positions. Throws if the new item is not a valid entry.
 */
export const entriesOf = ({ after, sequence, replayed }: NewItem): Entry[] => {
  const entries = entriesIn(after, sequence);
  if (replayed === undefined) return entries;
  return entries.map((entry) => ({ ...entry, source: `${entry.source}-${replayed}` }));
};
