import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFunction } from '../../../local/functions/functions.ts';
import { newFolder } from '../../support/new-folder.ts';

const bundle = path.join(newFolder(), 'index.mjs');
writeFileSync(
  bundle,
  `let calls = 0;
export const handler = async ({ ms = 0 }) => {
  calls += 1;
  await new Promise((resolve) => setTimeout(resolve, ms));
  return calls;
};`,
);

const IDLE_SECONDS = 0.2;
const fn = createFunction(
  {
    operationId: 'test',
    bundle,
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 128,
    idleSeconds: IDLE_SECONDS,
  },
  { onLog: () => undefined, onNotice: () => undefined },
);
afterAll(() => fn.stop());

const replies = async (...events: { ms?: number }[]) =>
  (await Promise.all(events.map((event) => fn.invoke(event)))).map(
    (outcome) => 'reply' in outcome && outcome.reply,
  );

test('a thread without calls ends, and the next call starts another', async () => {
  expect(await replies({})).toEqual([1]);
  expect(await replies({}, {})).toEqual([3, 3]);
  await sleep(3_000 * IDLE_SECONDS);
  expect(await replies({})).toEqual([1]);
});

test('a call that takes longer is answered', async () => {
  await sleep(3_000 * IDLE_SECONDS);
  expect(await replies({ ms: 3_000 * IDLE_SECONDS })).toEqual([1]);
});

test('calls while a thread ends are answered', async () => {
  for (let i = 0; i < 20; i += 1) {
    await replies({});
    await sleep(1_000 * IDLE_SECONDS - 2 + (i % 5));
    expect(await replies({}, {})).not.toContain(false);
  }
});
