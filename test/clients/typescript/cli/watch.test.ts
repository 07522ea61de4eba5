import type { Child, Ending } from '../../../../clients/typescript/src/cli/child.ts';
import { type Watched, watch } from '../../../../clients/typescript/src/cli/commands/run.ts';
import { CliError, EXIT } from '../../../../clients/typescript/src/cli/exit-codes.ts';
import type { SecretsResult } from '../../../../clients/typescript/src/index.ts';

/** A command that runs until it is stopped, and records what happens to it. */
class FakeCommand {
  readonly events: string[] = [];
  #end: (ending: Ending) => void = () => undefined;
  #running = false;

  readonly start = (secrets: SecretsResult): Child => {
    this.events.push(`start ${secrets.A}`);
    this.#running = true;
    const ended = new Promise<Ending>((resolve) => {
      this.#end = (ending) => {
        this.#running = false;
        resolve(ending);
      };
    });
    const kill = (signal: NodeJS.Signals) => {
      this.events.push(signal);
      this.#end({ signal });
    };
    return { ended, kill, isRunning: () => this.#running };
  };

  readonly exit = (code: number): void => this.#end({ code });
}

/** Watches with these results of the checks in order; after the last one the command exits with 7. */
const watchThrough = async (looks: readonly (() => SecretsResult)[]) => {
  const command = new FakeCommand();
  const warnings: string[] = [];
  const left = [...looks];
  const read = async (): Promise<SecretsResult> => {
    const look = left.shift();
    if (look !== undefined) return look();
    command.exit(7);
    return { A: 'one' };
  };
  const watched: Watched = {
    start: command.start,
    read,
    intervalMs: 1,
    warn: (sentence) => warnings.push(sentence),
  };
  const ending = await watch(watched, { A: 'one' });
  return { ending, events: command.events, warnings };
};

const fail = () => {
  throw new CliError('The service is away.', EXIT.unavailable);
};

test('the command is restarted when a value changes, and only then', async () => {
  const { ending, events } = await watchThrough([
    () => ({ A: 'one' }),
    () => ({ A: 'two' }),
    () => ({ A: 'two' }),
    () => ({ A: 'two', B: 'new' }),
    () => ({ B: 'new', A: 'one' }),
  ]);
  expect(events).toEqual([
    'start one',
    ...['two', 'two', 'one'].flatMap((value) => ['SIGTERM', `start ${value}`]),
  ]);
  expect(ending).toEqual({ code: 7 });
});

test('the command keeps running if its secrets cannot be fetched or are gone, with a warning', async () => {
  const { ending, events, warnings } = await watchThrough([fail, () => ({ B: 'new' })]);
  expect({ ending, events }).toEqual({ ending: { code: 7 }, events: ['start one'] });
  expect(warnings).toEqual(
    ['away', 'No longer found: A'].map((said) =>
      expect.stringContaining(`${said}. The command keeps running`),
    ),
  );
});

test('an interval beyond the limit of timers does not become zero', async () => {
  const command = new FakeCommand();
  let looks = 0;
  const read = async (): Promise<SecretsResult> => {
    looks++;
    return { A: 'one' };
  };
  const ending = watch({ start: command.start, read, intervalMs: 2 ** 31, warn: fail }, { A: 'one' });
  setTimeout(() => command.exit(7), 50);
  expect({ ending: await ending, looks }).toEqual({ ending: { code: 7 }, looks: 0 });
});

test.each([
  ['takes long', () => new Promise<SecretsResult>(() => undefined)],
  ['finds other values', async () => ({ A: 'two' })],
  ['fails', async () => fail()],
])('if the command ends during a check that %s, the watcher ends silently', async (_, look) => {
  const command = new FakeCommand();
  const read = (): Promise<SecretsResult> => {
    command.exit(7);
    return look();
  };
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  expect(await watch({ start: command.start, read, intervalMs: 1, warn }, { A: 'one' })).toEqual({ code: 7 });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect({ events: command.events, warnings }).toEqual({ events: ['start one'], warnings: [] });
});

test('no signal listener is left after the command has ended', async () => {
  const before = process.listenerCount('SIGTERM');
  await watchThrough([]);
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('a signal to the watcher ends the command without a restart', async () => {
  const command = new FakeCommand();
  const read = () => new Promise<SecretsResult>(() => undefined);
  const ending = watch({ start: command.start, read, intervalMs: 60_000, warn: fail }, { A: 'one' });
  process.emit('SIGTERM', 'SIGTERM');
  expect(await ending).toEqual({ signal: 'SIGTERM' });
  expect(command.events).toEqual(['start one', 'SIGTERM']);
});
