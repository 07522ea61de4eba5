import { ApiError } from '../../../admin-ui/src/api/api-error.ts';
import {
  createDraftSaver,
  type SaveState,
} from '../../../admin-ui/src/features/prompts/drafts/draft-saver.ts';

interface Saved {
  readonly rev: number;
}

const setUp = (send: (body: string, rev: number | undefined) => Promise<Saved>, rev?: number) => {
  const calls: [body: string, rev: number | undefined][] = [];
  const states: SaveState<Saved>['kind'][] = [];
  const saver = createDraftSaver<string, Saved>(
    rev,
    (body, seen) => {
      calls.push([body, seen]);
      return send(body, seen);
    },
    ({ kind }) => states.push(kind),
  );
  return { saver, calls, states };
};

const conflict = () => new ApiError('Someone else saved it.', { status: 409, code: 'changed_meanwhile' });

test('only the latest input is sent, and each save sends the rev of the previous one', async () => {
  const { saver, calls } = setUp(async (_, seen = 0) => ({ rev: seen + 1 }));
  saver.change('a');
  saver.change('ab');
  expect(await saver.flush()).toBe(1);
  saver.change('abc');
  expect(await saver.flush()).toBe(2);
  expect(calls).toEqual([
    ['ab', undefined],
    ['abc', 1],
  ]);
});

test('without a change nothing is sent', async () => {
  const { saver, calls } = setUp(async () => ({ rev: 1 }), 7);
  expect(await saver.flush()).toBe(7);
  expect(calls).toEqual([]);
});

test('input during a save is sent after it, never concurrently', async () => {
  let finish: ((saved: Saved) => void) | undefined;
  const held = new Promise<Saved>((resolve) => {
    finish = resolve;
  });
  const { saver, calls } = setUp((body) => (body === 'first' ? held : Promise.resolve({ rev: 2 })));
  saver.change('first');
  const done = saver.flush();
  saver.change('second');
  expect(calls).toEqual([['first', undefined]]);
  finish?.({ rev: 1 });
  expect(await done).toBe(2);
  expect(calls).toEqual([
    ['first', undefined],
    ['second', 1],
  ]);
});

test('after a conflict nothing is sent until it is resolved, and then the latest input', async () => {
  let isTaken = true;
  const { saver, calls, states } = setUp(async () => {
    if (isTaken) throw conflict();
    return { rev: 10 };
  }, 1);
  saver.change('mine');
  await expect(saver.flush()).rejects.toThrow('Someone else saved it.');
  saver.change('mine, longer');
  expect(states.at(-1)).toBe('conflict');
  expect(calls).toHaveLength(1);
  isTaken = false;
  saver.rebase(9);
  expect(await saver.flush()).toBe(10);
  expect(calls.at(-1)).toEqual(['mine, longer', 9]);
  expect(states.at(-1)).toBe('saved');
});

test('a save that fails in transit is retried', async () => {
  let isDown = true;
  const { saver, calls, states } = setUp(async () => {
    if (isDown) throw new TypeError('Failed to fetch');
    return { rev: 1 };
  });
  saver.change('text');
  await expect(saver.flush()).rejects.toThrow(TypeError);
  expect(states.at(-1)).toBe('failed');
  isDown = false;
  expect(await saver.flush()).toBe(1);
  expect(calls).toHaveLength(2);
});

test('a discarded draft is no longer sent; one that cannot be discarded is not lost', async () => {
  const { saver, calls } = setUp(async () => ({ rev: 8 }), 7);
  const removed: number[] = [];
  saver.change('text');
  await expect(saver.discard(() => Promise.reject(conflict()))).rejects.toThrow('Someone else saved it.');
  expect(await saver.flush()).toBe(8);
  saver.change('more');
  await saver.discard(async (rev) => removed.push(rev));
  expect(removed).toEqual([8]);
  expect(await saver.flush()).toBeUndefined();
  expect(calls).toEqual([['text', 7]]);
});

test('a removed draft is saved again; one that someone else saved is a conflict', async () => {
  const { saver, calls, states } = setUp(async (_, seen = 20) => ({ rev: seen + 1 }), 7);
  expect(saver.reconcile(7, 'text')).toBe(true);
  expect(calls).toEqual([]);
  expect(saver.reconcile(undefined, 'text')).toBe(true);
  expect(await saver.flush()).toBe(21);
  expect(calls).toEqual([['text', undefined]]);
  expect(saver.reconcile(30, 'text')).toBe(false);
  expect(states.at(-1)).toBe('conflict');
  await expect(saver.flush()).rejects.toThrow('Someone else saved another draft.');
  saver.take(30);
  expect(await saver.flush()).toBe(30);
  expect(calls).toHaveLength(1);
});
