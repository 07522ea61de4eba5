import { retryWhileDenied } from '../../lambdas/core/cloudformation.ts';

const failure = (name: string) => Object.assign(new Error(`${name}.`), { name });

const failingWith =
  (...errors: Error[]) =>
  async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  };

const pauses: number[] = [];
const pause = async (milliseconds: number) => pauses.push(milliseconds);
beforeEach(() => pauses.splice(0));

test('an action that AWS denies at first is retried until the new role has propagated', async () => {
  const action = failingWith(failure('AccessDeniedException'), failure('UnrecognizedClientException'));
  await expect(retryWhileDenied(action, pause)).resolves.toBe('done');
  expect(pauses).toEqual([5_000, 5_000]);
});

test.each([
  ['AccessDeniedException', 'after a minute', 11],
  ['ValidationException', 'at once', 0],
])('an action that always fails with %s fails %s', async (name, _, times) => {
  const action = failingWith(...Array(12).fill(failure(name)));
  await expect(retryWhileDenied(action, pause)).rejects.toThrow(`${name}.`);
  expect(pauses).toHaveLength(times);
});
