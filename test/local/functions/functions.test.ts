import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createThread } from '../../../local/functions/functions.ts';
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
const fn = (operationId: string, path = bundle) => ({
  operationId,
  bundle: path,
  environment: { OF: operationId },
  permissions: {},
  timeoutSeconds: 10,
});
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));
const open = (...functions: ReturnType<typeof fn>[]) => {
  const thread = createThread(
    { functions, memoryMb: 128, idleSeconds: IDLE_SECONDS },
    { onLog: () => undefined, onNotice: () => undefined },
  );
  stops.push(thread.stop);
  return (operationId: string, event: unknown) => thread.functions.get(operationId)?.invoke(event);
};
const invoke = open(fn('test'));

const replies = async (...events: { ms?: number }[]) =>
  (await Promise.all(events.map((event) => invoke('test', event)))).map(
    (outcome) => outcome !== undefined && 'reply' in outcome && outcome.reply,
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

test('functions in one thread see their own environments, also while their modules load', async () => {
  const folder = newFolder();
  const own = (name: string) => {
    const file = path.join(folder, `${name}.mjs`);
    writeFileSync(
      file,
      `import './shared.mjs';
const atFirst = process.env.OF;
export const handler = async (_event, { functionName }) => {
  const before = process.env.OF;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return [atFirst, before, process.env.OF, functionName];
};`,
    );
    return fn(name, file);
  };
  writeFileSync(path.join(folder, 'shared.mjs'), 'await new Promise((resolve) => setTimeout(resolve, 20));');
  const names = ['first', 'second', 'third'];
  const call = open(...names.map(own));
  for (const _ of [0, 1])
    expect(await Promise.all(names.map((name) => call(name, {})))).toEqual(
      names.map((name) => ({ reply: [name, name, name, name] })),
    );
});
