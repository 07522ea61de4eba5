import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import fc from 'fast-check';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { inParts } from '../../../lambdas/consumers/in-parts.ts';
import { WIDE_SHARDS } from '../../../lambdas/store/entry-shards.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { NewItem } from '../../../lambdas/store/stream.ts';
import type { Item, Table } from '../../../lambdas/store/table.ts';
import { listAccesses, recentAccesses } from '../../../lambdas/store/usage/access-lists.ts';
import { type Access, recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import {
  addToCounter,
  countersOf,
  indexKeysOf,
  usageCounter,
} from '../../../lambdas/store/usage/counters.ts';
import { createFailures, type FailedCall } from '../../../lambdas/store/usage/failed-calls.ts';
import { failingEvents } from '../../../lambdas/store/usage/failing-events.ts';
import {
  failureCounter,
  failuresAndUses,
  failuresSince,
} from '../../../lambdas/store/usage/failure-counts.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { countingCalls, intercepted, serverError, throttled } from '../../support/aws/intercept.ts';
import { allPages } from '../../support/pages.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { readOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { addItems, changeAt, rowsIn, table, withTestTable } from '../../support/rows/table.ts';
import { accessOf, lastUseOf } from '../../support/rows/usage.ts';

withTestTable();

const SHARDS = 3;
const PROMPTS = ['prm_a', 'prm_b'];
// Days to come: DynamoDB Local removes what has expired within seconds.
const FIRST_DAY = Math.ceil(Date.now() / 86_400_000) * 86_400_000;

interface World {
  /** The records of each shard of the stream, in their order. */
  readonly shards: readonly NewItem[][];
  readonly day: string;
}

/** Accesses on a day, spread over the shards of the stream by their partition, as DynamoDB does it. */
const worldOf = (random: Random, accesses: number, dayNumber: number): World => {
  const shards = Array.from({ length: SHARDS }, (): NewItem[] => []);
  const day = new Date(FIRST_DAY + dayNumber * 86_400_000).toISOString().slice(0, 10);
  for (let i = 0; i < accesses; i++) {
    const prompt = random(PROMPTS.length);
    const partition = random(4);
    // Requests that take longer are written later: entries are not in the order of their times.
    const time = new Date(Date.parse(day) + 60_000 + i * 10 - random(2_000)).toISOString();
    const after = {
      pk: `${PARTITIONS.access}${PROMPTS[prompt]}#${day}#${partition}`,
      sk: `${time}#${i}`,
      time,
      promptId: PROMPTS[prompt],
      version: '1.0.0',
      apiKeyId: `key${day}${random(2)}`,
    };
    const sequence = String(10_000_000 + i).padStart(40, '0');
    shards[(prompt * 4 + partition) % SHARDS]?.push({ sequence, after });
  }
  return { shards, day };
};

/** The table while updates fail: some before they are applied, some after, when only the reply is lost. */
const crashing = (random: Random, every: number): Table =>
  intercepted(table, async (_, next) => {
    const fate = random(every);
    if (fate === 0) throw serverError();
    const reply = await next();
    if (fate === 1) throw serverError();
    return reply;
  });

/**
 * Delivers all records to consumers: shards in any order, batches of any length, each again if the consumer failed, and
 * sometimes batches that were already consumed.
 */
const deliver = async ({ shards }: World, random: Random, most: number, every: number): Promise<void> => {
  const at = shards.map(() => 0);
  let consume = createUsageConsumer(crashing(random, every));
  while (at.some((position, shard) => position < (shards[shard]?.length ?? 0))) {
    const shard = random(SHARDS);
    const from = at[shard] ?? 0;
    const to = from + 1 + random(most);
    try {
      await consume((shards[shard] ?? []).slice(from, to));
      at[shard] = random(4) === 0 ? Math.max(0, to - random(most)) : to;
    } catch {
      consume = createUsageConsumer(crashing(random, every));
    }
  }
};

const tally = (keys: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, same]) => [key, same.length]));

const expectExact = async ({ shards, day }: World): Promise<void> => {
  const entries = shards.flat().map(({ after = {} }) => after);
  const counters = (
    await Promise.all(
      PROMPTS.map((promptId) => countersOf(table, { promptId, createdAt: day }, day, new Date(day))),
    )
  ).flat();
  expect(
    Object.fromEntries(counters.map(({ promptId, apiKeyId, count }) => [`${promptId} ${apiKeyId}`, count])),
  ).toEqual(tally(entries.map(({ promptId, apiKeyId }) => `${promptId} ${apiKeyId}`)));
  const latest = (own: readonly Record<string, unknown>[]) =>
    own
      .map(({ time }) => String(time))
      .sort()
      .at(-1);
  for (const { promptId, apiKeyId, lastAt } of counters) {
    const own = entries.filter((entry) => entry.promptId === promptId && entry.apiKeyId === apiKeyId);
    expect(lastAt).toBe(latest(own));
    expect(await lastUseOf(table, apiKeyId)).toBe(
      latest(entries.filter((entry) => entry.apiKeyId === apiKeyId)),
    );
  }
};

let days = 0;

test('counts equal entries however records are repeated, reordered between shards, and cut short by crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = randomFrom(seed);
      const world = worldOf(random, 80, ++days);
      await deliver(world, random, 20, 15);
      await expectExact(world);
    }),
    { numRuns: 3 },
  );
});

test('a batch that was given up counts once when it is replayed, although later ones were counted', async () => {
  const random = randomFrom(2);
  const world = worldOf(random, 60, ++days);
  const consume = createUsageConsumer(table);
  const handler = inParts(async (records) => void (await consume(records)));
  const eventOf = (records: readonly NewItem[]) => ({
    Records: records.map(({ sequence, after }) => ({
      dynamodb: {
        SequenceNumber: sequence.replace(/^0+/, ''),
        NewImage: marshall(after) as Record<string, AttributeValue>,
      },
    })),
  });
  for (const shard of world.shards) {
    await handler(eventOf(shard.slice(5)));
    const startSequenceNumber = shard[0]?.sequence ?? '';
    const payload = JSON.stringify(eventOf(shard.slice(0, 5)));
    for (let i = 0; i < 2; i++) await handler({ DDBStreamBatchInfo: { startSequenceNumber }, payload });
  }
  await expectExact(world);
});

test('unknown records are skipped and logged, and everything else is counted', async () => {
  const random = randomFrom(1);
  const world = worldOf(random, 10, ++days);
  const broken = [{}, { time: 'noon' }, { promptId: 'a#b' }, { version: undefined }].map((changes, i) => {
    const [record] = world.shards.flat();
    const pk = { pk: `${PARTITIONS.access}x#2026-03-10#${i === 0 ? 'none' : '1'}` };
    return { sequence: `broken ${i}`, after: { ...record?.after, ...pk, ...changes } };
  });
  const { unreadable } = await createUsageConsumer(table)([...broken, ...world.shards.flat()]);
  expect(unreadable.map(({ sequence }) => sequence)).toEqual(broken.map(({ sequence }) => sequence));
  await expectExact(world);
});

const START = Date.parse('2026-03-10T12:00:00.000Z');
const DAY_SECONDS = 86_400;

const failed = (properties: Partial<FailedCall> = {}): FailedCall => ({
  code: 'missing_variables',
  reason: 'Why',
  asked: 'label',
  label: 'production',
  version: '2.0.0',
  apiKeyId: 'key',
  apiKeyName: 'web',
  sourceIp: '203.0.113.7',
  ...properties,
});

let requests = 0;
const factOf = (promptId: string, ms: number) => ({
  promptId,
  requestId: `request-${++requests}`,
  at: new Date(START + ms),
});

const failedRows = (promptId: string) => rowsIn(table, PARTITIONS.failed + promptId);
const timesOf = (rows: readonly Item[]) =>
  rows.flatMap(({ calls }) => calls as { times: number }[]).reduce((sum, { times }) => sum + times, 0);

let sequence = 0;
const recordOf = (after: Item): NewItem => ({
  sequence: String(++sequence).padStart(40, '0'),
  after,
});

test('a flood of failing calls writes one row a second and prompt, and the next row has those in between', async () => {
  const record = createFailures(table);
  for (let ms = 0; ms <= 2_500; ms += 10) await record(failed(), factOf('flood', ms));
  await record(failed(), factOf('other', 2_500));
  const rows = await failedRows('flood');
  expect(rows.map(({ time }) => time)).toEqual(
    [0, 1, 2].map((s) => new Date(START + s * 1_000).toISOString()),
  );
  expect(timesOf(rows)).toBe(201);
  expect(rows[2]?.calls).toMatchObject([{ times: 100, since: new Date(START + 1_010).toISOString() }]);
  expect(rows[0]?.ttl).toBe(START / 1_000 + DAY_SECONDS);
  expect(await failedRows('other')).toHaveLength(1);
});

test('a flood with one key hides no failing calls of another, and a row stays small whatever a caller sends', async () => {
  const record = createFailures(table);
  const reason = 'é'.repeat(100_000);
  for (let i = 0; i < 100; i++) await record(failed({ reason }), factOf('busy', i));
  for (let i = 0; i < 40; i++) await record(failed({ apiKeyId: `key${i}`, reason }), factOf('busy', 500));
  await record(failed(), factOf('busy', 1_000));
  const last = (await failedRows('busy')).at(-1) ?? {};
  const keys = (last.calls as FailedCall[]).map(({ apiKeyId }) => apiKeyId);
  expect(keys).toEqual(['key', ...Array.from({ length: 19 }, (_, i) => `key${i}`)]);
  expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(20_000);
});

test('failing calls are counted once by hour, reason and key, kept 14 days, and are no use of the key', async () => {
  const record = createFailures(table);
  for (const ms of [0, 10, 1_500, 3_600_000]) await record(failed(), factOf('counted', ms));
  await record(failed({ code: 'label_not_found', reason: 'No label' }), factOf('counted', 3_602_000));
  const records = (await failedRows('counted')).map(recordOf);
  for (const batch of [records.slice(0, 2), records, records]) await createUsageConsumer(table)(batch);
  const counts = (await failuresSince(table, new Date(START).toISOString(), 'counted')).reverse();
  expect(counts).toMatchObject([
    { hour: '2026-03-10T12', code: 'missing_variables', calls: 3, reason: 'Why', sourceIp: '203.0.113.7' },
    { hour: '2026-03-10T13', code: 'label_not_found', calls: 1, reason: 'No label' },
    { hour: '2026-03-10T13', code: 'missing_variables', calls: 1 },
  ]);
  expect(counts[0]).toMatchObject({
    since: new Date(START).toISOString(),
    lastAt: new Date(START + 1_500).toISOString(),
  });
  const [first] = await rowsIn(table, `${PARTITIONS.failing}counted`);
  expect(first?.ttl).toBe(Math.floor((START + 1_500) / 1_000) + 14 * DAY_SECONDS);
  expect(await lastUseOf(table, 'key')).toBeUndefined();
  const recent = async (ms: number) =>
    (await failuresAndUses(table, new Date(START + ms).toISOString())).failures.filter(
      ({ promptId }) => promptId === 'counted',
    );
  expect(
    [await recent(0), await recent(3_600_000), await recent(7_200_000)].map((all) => all.length),
  ).toEqual([3, 2, 0]);
});

test('the last failing call is the latest, whichever shard or batch brings it', async () => {
  const { promptId } = await newPrompt(table);
  const recordIn = (shard: number, second: number, version: string) => {
    const at = new Date(START + second * 1_000);
    const { at: _, metaProperties: __, ...access } = accessOf({ promptId, at, version, missing: ['brand'] });
    const pk = `${PARTITIONS.access}${promptId}#${at.toISOString().slice(0, 7)}#${shard}`;
    const time = at.toISOString();
    return recordOf({ pk, sk: `${time}#${shard}`, time, ...access, metaProperties: '{}' });
  };
  const counted = () => failuresSince(table, new Date(START).toISOString(), promptId);
  const consume = createUsageConsumer(table);
  await consume([recordIn(0, 30, '2.0.0'), recordIn(1, 20, '1.0.0')]);
  expect(await counted()).toMatchObject([
    { calls: 2, version: '2.0.0', since: new Date(START + 20_000).toISOString() },
  ]);
  await consume([recordIn(2, 25, '1.0.0')]);
  expect(await counted()).toMatchObject([
    { calls: 3, version: '2.0.0', lastAt: new Date(START + 30_000).toISOString() },
  ]);
});

/** A new counter of failing calls of a prompt, as the stream delivers it. */
const counterOf = (
  promptId: string,
  { hour = '2026-03-10T12', ...call }: Partial<FailedCall> & { hour?: string } = {},
) => {
  const time = `${hour}:00:00.000Z`;
  const lastCall = failed(call);
  const key = failureCounter(time, promptId, lastCall);
  return { ...key, ...indexKeysOf(key), count: 1, failingSince: time, lastAt: time, lastCall };
};
const recordOfCounter = (...args: Parameters<typeof counterOf>) => recordOf(counterOf(...args));

test('a key has one event of each prompt an hour, 10 in all, whatever other keys have, and a record that comes again has the same', async () => {
  const prompts = await Promise.all(Array.from({ length: 12 }, () => newPrompt(table)));
  const [first] = prompts;
  const promptId = first?.promptId ?? '';
  const records = prompts.map((prompt) => recordOfCounter(prompt.promptId));
  const events = await failingEvents(table, records);
  expect(events).toHaveLength(10);
  expect(events[0]).toMatchObject({ type: 'prompt.calls_failing', subject: promptId, name: first?.name });
  expect(events[0]?.details).toMatchObject({ reason: 'Why', version: '2.0.0', sourceIp: '203.0.113.7' });
  const again = await failingEvents(table, records);
  expect(again.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(await failingEvents(table, [recordOfCounter(promptId, { code: 'label_not_found' })])).toEqual([]);
  const others = Array.from({ length: 92 }, (_, i) => recordOfCounter(promptId, { apiKeyId: `key${i}` }));
  const further = [
    ...(await failingEvents(table, others)),
    ...(await failingEvents(table, [recordOfCounter(promptId, { hour: '2026-03-10T13' })])),
  ];
  // 100 in all, and one of the next hour.
  expect(further).toHaveLength(90 + 1);
  expect(new Set([...events, ...further].map(({ id }) => id)).size).toBe(101);
});

test('a prompt that is deleted, missing or tampered with has no event, and does not stop the others', async () => {
  const deleted = await newPrompt(table);
  const tampered = await newPrompt(table);
  const live = await newPrompt(table);
  await deletePrompt(table, changeAt(), deleted.promptId);
  const [head] = (await rowsIn(table, PARTITIONS.prompt + tampered.promptId)).filter(
    ({ sk }) => sk === 'HEAD',
  );
  await addItems(table, [{ ...head, latest: '9.0.0' }]);
  const ids = [deleted.promptId, 'prm_missing', tampered.promptId, live.promptId];
  const events = await failingEvents(
    table,
    ids.map((id) => recordOfCounter(id, { hour: '2026-03-11T12' })),
  );
  expect(events.map(({ subject }) => subject)).toEqual([live.promptId]);
});

test('a key that fails for a thousand prompts in each hour hides no failing calls of another', async () => {
  const hours = ['2030-04-01T11', '2030-04-01T12'];
  const reason = 'x'.repeat(600);
  const flood = hours.flatMap((hour) =>
    Array.from({ length: 1_200 }, (_, i) => counterOf(`flood${i}`, { hour, apiKeyId: 'mmmmmmmm', reason })),
  );
  // Before and after it in the index.
  const others = hours.flatMap((hour) =>
    ['aaaaaaaa', 'zzzzzzzz'].map((apiKeyId) => counterOf('hidden', { hour, apiKeyId })),
  );
  await addItems(table, [...flood, ...others]);
  const { failures, uses } = await failuresAndUses(table, '2030-04-01T11:00:00.000Z');
  const found = Map.groupBy(failures, ({ hour, apiKeyId }) => `${hour} ${apiKeyId}`);
  expect(Object.fromEntries([...found].map(([of, own]) => [of, own.length]))).toEqual(
    Object.fromEntries(
      hours.flatMap((hour) => [
        [`${hour} aaaaaaaa`, 1],
        [`${hour} mmmmmmmm`, 100],
        [`${hour} zzzzzzzz`, 1],
      ]),
    ),
  );
  expect(uses.size).toBeGreaterThan(0);
});

describe('access entries', () => {
  const NOON = new Date('2026-03-10T12:00:00.000Z');
  let prompts = 0;
  const newId = () => `prm_${++prompts}`;

  const access = (promptId: string, changes: Partial<Access> = {}) =>
    accessOf({ promptId, at: NOON, ...changes });

  const list = (promptId: string, changes = {}) =>
    listAccesses(table, promptId, { from: '2026-03-01', to: '2026-03-10', limit: 100, ...changes });

  test('the history of several days and shards, or of those that are requested, is listed newest first, across pages, with all of the same time, however large its entries are', async () => {
    const promptId = newId();
    const times = Array.from({ length: 60 }, (_, i) => new Date(NOON.getTime() - 1 - i * 3 * 3_600_000));
    const same = Array.from({ length: 15 }, () => NOON);
    const metaProperties = { quotes: '"'.repeat(8_000) };
    for (const at of [...times.slice(30), ...same, ...times.slice(0, 30).toReversed()])
      await recordAccess(table, access(promptId, { at, metaProperties }));
    for (const limit of [7, 200]) {
      const listed = await allPages(
        (continued) => list(promptId, { limit, ...continued }),
        ({ items }) => {
          expect(items.length).toBeLessThan(75);
          expect(JSON.stringify(JSON.stringify(items)).length).toBeLessThan(LIMITS.pageBytes * 1.01);
          return items;
        },
      );
      expect(listed.map(({ time }) => time)).toEqual([...same, ...times].map((at) => at.toISOString()));
      expect(new Set(listed.map(({ requestId }) => requestId)).size).toBe(75);
    }
    const { items } = await list(promptId, { from: '2026-03-08', to: '2026-03-08' });
    const ofDay = times.map((at) => at.toISOString()).filter((time) => time.startsWith('2026-03-08'));
    expect(items.map(({ time }) => time)).toEqual(ofDay);
  });

  test('a page makes ten calls at most, however long nobody fetched, and its cursor leads to the earlier entries', async () => {
    const promptId = newId();
    await recordAccess(table, access(promptId, { at: new Date('2016-05-01T00:00:00.000Z') }));
    await recordAccess(table, access(promptId, { at: new Date('2016-03-31T23:59:59.999Z') }));
    const { counted, calls } = countingCalls(table);
    let pages = 0;
    const found = await allPages(
      (continued) =>
        listAccesses(counted, promptId, { from: '2016-03-01', to: '2026-03-10', limit: 1, ...continued }),
      ({ items }) => {
        expect(calls.splice(0).length).toBeLessThanOrEqual(10);
        pages += 1;
        return items.map(({ time }) => time);
      },
    );
    expect(found).toEqual(['2016-05-01T00:00:00.000Z', '2016-03-31T23:59:59.999Z']);
    expect(pages).toBeLessThan(70);
  });

  test.each([
    { most: 100, since: '2026-03-08T12:00:00.000Z' },
    { most: 28, since: '2026-03-09' },
    { most: 8, since: '2026-03-10' },
  ])(
    'at most the latest $most entries are read, and none since the returned time is missing',
    async ({ most, since }) => {
      const promptId = newId();
      const hoursAgo = (count: number) => new Date(NOON.getTime() - count * 60 * 60_000);
      for (let hour = 0; hour < 50; hour++)
        await recordAccess(table, access(promptId, { at: hoursAgo(hour) }));
      const from = '2026-03-08T12:00:00.000Z';
      const found = await recentAccesses(table, { promptId, createdAt: from }, from, NOON, most);
      expect(found.since >= since && found.since >= from).toBe(true);
      const all = Array.from({ length: 50 }, (_, hour) => hoursAgo(hour).toISOString());
      expect(found.entries.map(({ time }) => time).sort()).toEqual(
        all.filter((time) => time >= found.since).sort(),
      );
      expect(found.entries.length).toBeGreaterThan(0);
    },
  );

  const START = NOON.getTime();
  const DAY = '2026-03-10';
  const ENTRIES = 30;

  const shardIn = (pk: unknown): number => Number(/#(\d+)$/.exec(String(pk))?.[1]);

  /** A container whose first four shards are throttled and, unless `wide`, the writes of the number of shards too. */
  const throttledContainer = ({ wide = true } = {}) => {
    const written: string[] = [];
    const watched = intercepted(table, async ({ name, input }, next) => {
      const pk = String((input.Item as Item | undefined)?.pk);
      if (name !== 'PutCommand') return next();
      if (pk.startsWith(PARTITIONS.entryShards) ? !wide : shardIn(pk) < 4 && written.length % 3 === 0) {
        written.push('throttled');
        throw throttled();
      }
      written.push(pk);
      return next();
    });
    return { table: { ...watched, wideSources: new Set<string>() }, written };
  };

  const fetchedOn = (on: Table, promptId: string, n: number) =>
    recordAccess(on, accessOf({ promptId, at: new Date(START + n * 1_000), apiKeyId: 'k' }));

  test('a throttled source of entries gets more shards, and readers of the entries find all of them', async () => {
    const { promptId } = await newPrompt(table, { at: new Date(START - 60_000) });
    const { table: container, written } = throttledContainer();
    for (let n = 0; n < ENTRIES; n++) expect(await fetchedOn(container, promptId, n)).toBeUndefined();
    const shards = written.filter((pk) => pk.startsWith(PARTITIONS.access)).map(shardIn);
    expect(Math.max(...shards)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...shards)).toBeLessThan(WIDE_SHARDS);
    expect(
      written.indexOf(`${PARTITIONS.entryShards}${PARTITIONS.access}${promptId}#${DAY.slice(0, 7)}`),
    ).toBeLessThan(written.findIndex((pk) => pk.startsWith(PARTITIONS.access) && shardIn(pk) >= 4));
    const range = { from: DAY, to: DAY, limit: 100 };
    expect((await listAccesses(table, promptId, range)).items).toHaveLength(ENTRIES);
    const recent = await recentAccesses(
      table,
      { promptId, createdAt: DAY },
      `${DAY}T00:00:00.000Z`,
      NOON,
      1_000,
    );
    expect(recent.entries).toHaveLength(ENTRIES);
  });

  test('reads of secrets in more shards are all in the audit log', async () => {
    const { table: container } = throttledContainer();
    for (let n = 0; n < ENTRIES; n++)
      await writeAuditRead(container, readOf({ at: new Date(START + n * 1_000), requestId: `r${n}` }));
    expect(container.wideSources.size).toBe(1);
    const { entries } = await listAudit(table, { from: DAY, to: DAY, kind: 'read', limit: 100 });
    expect(entries).toHaveLength(ENTRIES);
  });

  test('if the additional shards cannot be recorded, entries stay in the shards that readers know', async () => {
    const { promptId } = await newPrompt(table);
    const { table: container, written } = throttledContainer({ wide: false });
    for (let n = 0; n < 10; n++) expect(await fetchedOn(container, promptId, n)).toBeUndefined();
    expect(written).toContain('throttled');
    expect(written.filter((pk) => shardIn(pk) >= 4)).toEqual([]);
  });

  test('a counter counts entries of 128 shards in updates that DynamoDB accepts, each entry once', async () => {
    const expressions: string[] = [];
    const watched = intercepted(table, ({ input }, next) => {
      expressions.push(String(input.UpdateExpression), String(input.ConditionExpression));
      return next();
    });
    const use = { promptId: 'prm_wide', version: '1.0.0', apiKeyId: 'k' };
    const entries = Array.from({ length: 3 * WIDE_SHARDS }, (_, i) => ({
      source: String(i % WIDE_SHARDS),
      sequence: String(i).padStart(40, '0'),
      at: new Date(START + i).toISOString(),
    }));
    const counter = usageCounter(DAY, use);
    await addToCounter(watched, counter, entries.slice(0, 200));
    await addToCounter(watched, counter, entries);
    expect(await countersOf(table, { ...use, createdAt: DAY }, DAY, new Date(DAY))).toMatchObject([
      { count: entries.length, lastAt: entries.at(-1)?.at },
    ]);
    for (const expression of expressions) {
      expect(expression.length).toBeLessThan(4_096);
      expect((expression.match(/[<=(+]|AND|OR/g) ?? []).length).toBeLessThan(300);
    }
  });
});
