import { hash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { dayIn, dayOf, expiresAfter, later } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { type Countable, latestOf, revisionsOf, spansOf, uncounted } from '../../core/usage/counting.ts';
import { isAboveReserved, type PromptHead } from '../prompts/head.ts';
import { inIndex, inRange, queryItems } from '../queries.ts';
import type { Item, Key, Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

/** What a counter counts: fetches of a version of a prompt with an API key. */
export interface Use {
  readonly promptId: string;
  readonly version: string;
  readonly apiKeyId: string;
}

/** The key of the counter of a use on a day. */
export const usageCounter = (day: string, { promptId, version, apiKeyId }: Use): Key => ({
  pk: PARTITIONS.usage + promptId,
  sk: `${day}#${version}#${apiKeyId}`,
});

/**
 * The partitions of the index that the counters of one API key are spread over: each takes 1,000 writes a second, and more
 * once DynamoDB has split it by its sort keys, which do not rise within a day. Each is a call more for the key's page.
 */
const KEY_PARTS = 2;

const keyPart = (apiKeyId: string, part: number) => `${apiKeyId}#${part}`;

/** Where the index has a counter of fetches or of failing calls (by hour and key); counters of reads are not in it. */
export const indexKeysOf = ({ pk, sk }: Key): Item => {
  const { partitionKey, sortKey } = TABLE.index;
  if (pk.startsWith(PARTITIONS.failing)) {
    const [hour, code, apiKeyId] = sk.split('#');
    return { [partitionKey]: INDEX_PARTITIONS.watched, [sortKey]: [hour, apiKeyId, code, pk].join('#') };
  }
  const promptId = pk.slice(PARTITIONS.usage.length);
  if (!pk.startsWith(PARTITIONS.usage)) return {};
  const [day = '', version = '', apiKeyId = ''] = sk.split('#');
  const part = hash('sha256', promptId, 'buffer').readUInt8() % KEY_PARTS;
  return {
    [partitionKey]: INDEX_PARTITIONS.usageOfKey + keyPart(apiKeyId, part),
    [sortKey]: `${day}#${promptId}#${version}`,
  };
};

/** A counter stores its position in each source in an attribute. */
const POSITION = 'position-';

const stateOf = (counter: Item) => ({
  positions: Object.fromEntries(
    Object.entries(counter).flatMap(([name, value]) =>
      name.startsWith(POSITION) ? [[name.slice(POSITION.length), String(value)]] : [],
    ),
  ),
  lastAt: String(counter.lastAt ?? ''),
  lowest: Number(counter.lowest ?? Number.POSITIVE_INFINITY),
  highest: Number(counter.highest ?? 0),
});

/** What is known of a counter that has refused an update. */
type CounterState = ReturnType<typeof stateOf>;

/**
 * How the revisions of a counter change: usually they only rise. If the counter is known, what is neither lower nor
 * higher is not written.
 */
const revisionChanges = (entries: readonly Countable[], known?: CounterState) => {
  const [lowest, highest] = revisionsOf(entries) ?? [];
  if (lowest === undefined || highest === undefined) return [];
  const isLower = known !== undefined && lowest < known.lowest;
  const low = {
    set: isLower ? 'lowest = :lowest' : 'lowest = if_not_exists(lowest, :lowest)',
    condition: `(attribute_not_exists(lowest) OR lowest ${isLower ? '>' : '<='} :lowest)`,
    values: { ':lowest': lowest },
  };
  const high = {
    set: 'highest = :highest',
    condition: '(attribute_not_exists(highest) OR highest <= :highest)',
    values: { ':highest': highest },
  };
  if (known === undefined) return [low, high];
  return [...(isLower ? [low] : []), ...(highest > known.highest ? [high] : [])];
};

/**
 * The update that adds entries to their counter, as far as it is known, on the condition that it has counted none of
 * them. The time of the last entry only increases.
 */
const updateFor = (table: Table, key: Key, entries: readonly Countable[], known?: CounterState) => {
  const spans = spansOf(entries);
  const lastAt = latestOf(entries);
  const isLatest = known === undefined || lastAt > known.lastAt;
  const revisions = revisionChanges(entries, known);
  const positions = spans.map((_, i) => `#p${i} = :last${i}`);
  const indexed = Object.entries(indexKeysOf(key));
  const failure = entries.find(({ at }) => at === lastAt)?.failure;
  const since = failure && entries.map((entry) => entry.failure?.since ?? entry.at).sort()[0];
  const days = failure ? LIMITS.failingDays : table.settings.accessDays;
  const times = [
    ...(isLatest ? ['lastAt = :at', '#ttl = :ttl'] : []),
    ...(failure ? ['failingSince = if_not_exists(failingSince, :since)'] : []),
    ...(failure && isLatest ? ['lastCall = :call'] : []),
    ...revisions.map(({ set }) => set),
  ];
  return {
    Key: key,
    UpdateExpression: `ADD #count :count SET ${[...positions, ...indexed.map(([name]) => `${name} = :${name}`), ...times].join(', ')}`,
    ConditionExpression: [
      ...spans.map((_, i) => `(attribute_not_exists(#p${i}) OR #p${i} < :first${i})`),
      ...(isLatest ? ['(attribute_not_exists(lastAt) OR lastAt < :at)'] : []),
      ...revisions.map(({ condition }) => condition),
    ].join(' AND '),
    ExpressionAttributeNames: {
      '#count': 'count',
      ...(isLatest && { '#ttl': 'ttl' }),
      ...Object.fromEntries(spans.map(({ source }, i) => [`#p${i}`, POSITION + source])),
    },
    ExpressionAttributeValues: {
      ':count': entries.reduce((sum, entry) => sum + (entry.failure?.times ?? 1), 0),
      ...(failure && { ':since': since, ...(isLatest && { ':call': failure.last }) }),
      ...Object.assign({}, ...revisions.map(({ values }) => values)),
      ...Object.fromEntries(indexed.map(([name, value]) => [`:${name}`, value])),
      ...Object.assign(
        {},
        ...spans.map(({ first, last }, i) => ({ [`:first${i}`]: first, [`:last${i}`]: last })),
      ),
      ...(isLatest && { ':at': lastAt, ':ttl': expiresAfter(new Date(lastAt), days) }),
    },
  };
};

/**
 * Sources of one update: DynamoDB accepts expressions of 4 KB with 300 operators, and each source takes 4 operators and
 * about 60 bytes (DynamoDB Developer Guide, "Constraints").
 */
const UPDATE_SOURCES = 40;

/** Entries in parts of few sources each. */
const bySources = (entries: readonly Countable[]): Countable[][] => {
  const groups = [...Map.groupBy(entries, ({ source }) => source).values()];
  return Array.from({ length: Math.ceil(groups.length / UPDATE_SOURCES) }, (_, part) =>
    groups.slice(part * UPDATE_SOURCES, (part + 1) * UPDATE_SOURCES).flat(),
  );
};

/**
 * Adds entries to one counter, each of them once, even if it arrives several times and in different batches: entries
 * that are already counted are skipped.
 */
export const addToCounter = async (table: Table, key: Key, entries: readonly Countable[]): Promise<void> => {
  for (const part of bySources(entries)) await addPart(table, key, part);
};

const addPart = async (table: Table, key: Key, entries: readonly Countable[]) => {
  let left = entries;
  let known: CounterState | undefined;
  while (left.length > 0) {
    const refusedBy = await updateOrRead(table, updateFor(table, key, left, known));
    if (refusedBy === undefined) return;
    known = stateOf(refusedBy);
    left = uncounted(left, known.positions);
  }
};

/** What tells the use of a prompt from that of a deleted one of the same name. */
export type PromptLife = Pick<PromptHead, 'promptId' | 'createdAt' | 'reservedUpTo'>;

/** A counter: how often a version of a prompt was fetched with an API key on a day. */
export interface Counter extends Use {
  readonly day: string;
  readonly count: number;
  /** The last of these fetches; ISO 8601 in UTC. */
  readonly lastAt: string;
}

/** The counters of a prompt since it was created, from the day of a time (ISO 8601) up to `now`, oldest day first. */
export const countersOf = async (table: Table, head: PromptLife, since: string, now: Date) => {
  const { promptId, createdAt } = head;
  const range = inRange(PARTITIONS.usage + promptId, dayIn(later(since, createdAt)), `${dayOf(now)}~`);
  const items = await Array.fromAsync(queryItems(table, { ...range, ConsistentRead: false }));
  return items
    .map(({ sk, count, lastAt }): Counter => {
      const [day = '', version = '', apiKeyId = ''] = String(sk).split('#');
      return { day, promptId, version, apiKeyId, count: Number(count), lastAt: String(lastAt) };
    })
    .filter(({ version }) => isAboveReserved(head, version));
};

/** The counters of an API key from one day to another, both included; a fetch can take a moment to appear. */
export const countersOfKey = async (table: Table, apiKeyId: string, from: string, to: string) => {
  const { sortKey } = TABLE.index;
  const parts = await inParallel(Array(KEY_PARTS).keys(), (part) => {
    const range = { ':from': from, ':to': `${to}~` };
    const query = inIndex('usageOfKey', `${sortKey} BETWEEN :from AND :to`, range, keyPart(apiKeyId, part));
    return Array.fromAsync(queryItems(table, query));
  });
  return parts.flat().map(({ count, lastAt, ...item }): Counter => {
    const [day = '', promptId = '', version = ''] = String(item[sortKey]).split('#');
    return { day, promptId, version, apiKeyId, count: Number(count), lastAt: String(lastAt) };
  });
};
