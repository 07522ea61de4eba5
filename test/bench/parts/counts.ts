import { CONSUMERS } from '../../../contract/functions/consumers.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import { DELAY_MS, delayedTable } from '../delayed-table.ts';
import type { Figure } from '../figures.ts';

/** Writes a second that one partition takes, so one shard of the stream has (DynamoDB Developer Guide, "Partitions"). */
const SHARD_WRITES = 1_000;
const START = Date.parse('2031-05-05T10:00:00.000Z');
const BATCHES = 5;

const batchOf = (records: number, batch: number) =>
  Array.from({ length: records }, (_, i) => {
    const promptId = `prm_${batch}_${i}`;
    const time = new Date(START + batch * 10_000 + i).toISOString();
    return {
      sequence: String(batch * records + i).padStart(40, '0'),
      after: {
        pk: `${PARTITIONS.access}${promptId}#2031-05#0`,
        sk: `${time}#${i}`,
        time,
        promptId,
        version: '1.0.0',
        apiKeyId: `key${i % 10}`,
      },
    };
  });

/** How far counts are behind if each of the fetches in a full shard of the stream is of another prompt. */
export const counts = async (): Promise<Figure[]> => {
  const { batchRecords = 0, windowSeconds = 0 } = CONSUMERS.find(({ id }) => id === 'usage-count') ?? {};
  let updates = 0;
  const table = delayedTable(() => {
    updates++;
    return {};
  });
  const consume = createUsageConsumer(table);
  await consume(batchOf(batchRecords, 0));
  updates = 0;
  const begun = process.cpuUsage();
  for (let batch = 1; batch <= BATCHES; batch++) {
    const { unreadable } = await consume(batchOf(batchRecords, batch));
    if (unreadable.length > 0) throw new Error('A record was not read.');
  }
  const { user, system } = process.cpuUsage(begun);
  // The function has one processor; waiting for 64 updates at once takes less.
  const seconds = (user + system) / 1e6;
  const records = BATCHES * batchRecords;
  if (updates < records) throw new Error(`${updates} updates for ${records} counters.`);
  const rate = records / seconds;
  // A batch waits until it is full, or for the window; then it is counted.
  const wait = Math.min(windowSeconds, batchRecords / SHARD_WRITES);
  return [
    {
      name: 'counts behind, a full shard of varied fetches',
      measured: wait + seconds / BATCHES,
      bound: 60,
      unit: 's',
      from: `batches of ${batchRecords} every ${wait} s`,
    },
    {
      name: 'counting a second of a full shard of varied fetches',
      measured: SHARD_WRITES / rate,
      bound: 1,
      unit: 's',
      from: `${Math.round(rate)} records a second of one processor, updates after ${DELAY_MS} ms`,
    },
  ];
};
