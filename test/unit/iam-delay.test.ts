import { retryWhileDenied } from '../../lambdas/core/cloudformation/iam-delay.ts';

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

test('an action that stays denied fails after a minute', async () => {
  const action = async () => {
    throw failure('AccessDeniedException');
  };
  await expect(retryWhileDenied(action, pause)).rejects.toThrow('AccessDeniedException.');
  expect(pauses).toHaveLength(11);
});

test('other failures are not retried', async () => {
  await expect(retryWhileDenied(failingWith(failure('ValidationException')), pause)).rejects.toThrow(
    'ValidationException.',
  );
  expect(pauses).toEqual([]);
});
