import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import fc from 'fast-check';
import { PARTITIONS } from '../../../contract/table.ts';
import { inParts } from '../../../lambdas/consumers/in-parts.ts';
import type { NewItem } from '../../../lambdas/store/stream.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import { countersOf } from '../../../lambdas/store/usage/counters.ts';
import { intercepted, serverError } from '../../support/aws/intercept.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { lastUseOf } from '../../support/rows/usage.ts';

withTestTable();

const SHARDS = 3;
const PROMPTS = ['prm_a', 'prm_b'];
// Days to come: DynamoDB Local removes what has expired within seconds.
const START = Math.ceil(Date.now() / 86_400_000) * 86_400_000;

interface World {
  /** The records of each shard of the stream, in their order. */
  readonly shards: readonly NewItem[][];
  readonly day: string;
}

/** Accesses on a day, spread over the shards of the stream by their partition, as DynamoDB does it. */
const worldOf = (random: Random, accesses: number, dayNumber: number): World => {
  const shards = Array.from({ length: SHARDS }, (): NewItem[] => []);
  const day = new Date(START + dayNumber * 86_400_000).toISOString().slice(0, 10);
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
