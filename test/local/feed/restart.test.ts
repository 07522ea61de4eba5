import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { type Instance, startInstance } from '../../../local/instance.ts';
import { callsTo } from '../../support/calls.ts';
import { newFolder } from '../../support/new-folder.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { usageOf } from '../../support/rows/usage.ts';
import { withServer } from '../../support/server.ts';

const delivered: unknown[] = [];
const receiver = withServer(async (request, response) => {
  delivered.push(await json(request));
  response.end();
});
const dataFolder = newFolder();
const start = (): Promise<Instance> =>
  startInstance({ dataFolder, port: 0, sample: false, onLog: () => undefined, webhook: `${receiver.url}/` });

const fetchOnce = async (instance: Instance, promptId: string): Promise<void> => {
  const { status } = await callsTo(instance).post('/api/prompt/get-compiled', { promptId });
  expect(status).toBe(200);
};

const recordsLeft = (): number => {
  const database = new DatabaseSync(path.join(dataFolder, 'table.sqlite'));
  const row = database.prepare('SELECT COUNT(*) AS count FROM _stream_records').get();
  database.close();
  return Number(row?.count);
};

test('what was consumed before a restart is not consumed again, and counting continues', async () => {
  const first = await start();
  const { promptId } = await newPrompt(first.table);
  for (let n = 0; n < 3; n++) await fetchOnce(first, promptId);
  await first.settled();
  expect(delivered).toContainEqual(expect.objectContaining({ type: 'prompt.create', subject: promptId }));
  await first.stop();
  expect(recordsLeft()).toBe(1);

  delivered.length = 0;
  const second = await start();
  await fetchOnce(second, promptId);
  await second.settled();
  const counts = (await usageOf(second.table, promptId, 2, new Date())).map(({ count }) => count);
  await second.stop();
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(delivered).toEqual([]);
});
