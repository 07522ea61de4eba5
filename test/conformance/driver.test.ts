import { execFileSync } from 'node:child_process';
import { BehaviourRunner } from './behaviour-run.ts';
import { type Driver, type Request, startDriver } from './driver.ts';

const REQUEST: Request = { clientId: 'a', client: {}, op: 'environment', args: { names: [] } };
const CRASH: Request = {
  clientId: 'b',
  client: { url: 'http://127.0.0.1:9', apiKey: 'cue_unused' },
  op: 'prompts.get',
  args: { noSuchOption: 1 },
};
const ENDING_AT_ONCE = 'process.exit(3)';

let driver: Driver | undefined;

const start = (command: string, ...args: string[]): Driver => {
  driver = startDriver(command, args);
  return driver;
};

afterEach(async () => {
  await driver?.stop();
  driver = undefined;
});

test('a driver that ends while a behaviour waits fails the behaviour', async () => {
  const runner = new BehaviourRunner(start(process.execPath, '-e', ENDING_AT_ONCE), {
    url: 'http://127.0.0.1:9',
    apiKey: 'unused',
    folder: 'unused',
    group: 0,
    stop: async () => undefined,
  });
  const waiting = { title: 'waits for a request', steps: [{ untilCalls: 1 }] };
  await expect(runner.run(waiting)).rejects.toThrow('ended with 3.');
});

test.each([[[]], [['--async']]])(
  "Python's driver ends when it crashes, whatever its clients are doing: %p",
  async (options) => {
    execFileSync(process.execPath, ['scripts/python.mjs']);
    const args = ['-W', 'ignore', 'test/conformance/python-driver.py', ...options];
    const { ask } = start('clients/python/.venv/bin/python', ...args);
    expect(await ask(REQUEST)).toEqual({ ok: [] });
    await expect(ask(CRASH)).rejects.toThrow('ended with 1.');
  },
  60_000,
);
