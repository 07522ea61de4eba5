import { isCuevaultError } from '../../../lambdas/core/errors.ts';
import { createPrompt, getPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { listVersions } from '../../../lambdas/store/prompts/version-lists.ts';
import { intercepted, transactionConflict } from '../../support/aws/intercept.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const twenty = <T>(write: (i: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: 20 }, (_, i) => write(i)));

const codes = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled'
      ? 'ok'
      : isCuevaultError(result.reason)
        ? result.reason.code
        : result.reason,
  );

const nineteen = (code: string) => ['ok', ...Array.from({ length: 19 }, () => code)];

const expectHeadToAgree = async (promptId: string) => {
  const { head } = await getPrompt(table, promptId);
  const { items } = await listVersions(table, head, 100);
  expect(head.versions).toBe(items.length);
  expect(head.latest).toBe(items[0]?.version);
  return head;
};

test('of 20 publishers of one version exactly one wins, and its text is stored', async () => {
  const { promptId } = await newPrompt(table);
  const results = await twenty((i) =>
    publishVersion(table, changeAt(), promptId, { ...content(`by ${i}`), version: '2.0.0' }),
  );
  expect(codes(results).toSorted()).toEqual(nineteen('version_taken').toSorted());
  const winner = results.findIndex(({ status }) => status === 'fulfilled');
  expect((await getVersion(table, promptId, '2.0.0')).prompt).toBe(`by ${winner}`);
  expect(await expectHeadToAgree(promptId)).toMatchObject({ versions: 2, rev: 2, excerpt: `by ${winner}` });
});

test('20 publishers of different versions all win', async () => {
  const { promptId } = await newPrompt(table);
  const results = await twenty((i) =>
    publishVersion(table, changeAt(), promptId, { ...content('x'), version: `1.${i + 1}.0` }),
  );
  expect(new Set(codes(results))).toEqual(new Set(['ok']));
  expect(await expectHeadToAgree(promptId)).toMatchObject({ versions: 21, rev: 21, latest: '1.20.0' });
});

test('20 publishers that bump the same part get 20 numbers in a row', async () => {
  const { promptId } = await newPrompt(table);
  const results = await twenty(() =>
    publishVersion(table, changeAt(), promptId, { ...content('x'), bump: 'patch' }),
  );
  expect(new Set(codes(results))).toEqual(new Set(['ok']));
  expect(await expectHeadToAgree(promptId)).toMatchObject({ versions: 21, latest: '1.0.20' });
});

test('of 20 creators of one name exactly one wins', async () => {
  const results = await twenty((i) =>
    createPrompt(table, changeAt(), { ...content(`by ${i}`), name: 'contested' }),
  );
  expect(codes(results).toSorted()).toEqual(nineteen('name_taken').toSorted());
  const won = results.find((result) => result.status === 'fulfilled');
  expect(await expectHeadToAgree(won?.value.promptId ?? '')).toMatchObject({ versions: 1, rev: 1 });
});

const colliding = (times: number) => {
  let calls = 0;
  const throughEngine = intercepted(table, ({ name }, next) => {
    if (name !== 'TransactWriteCommand') return next();
    return ++calls <= times ? Promise.reject(transactionConflict()) : next();
  });
  return { table: throughEngine, calls: () => calls };
};

test('a collision with another transaction is retried', async () => {
  const { promptId } = await newPrompt(table);
  const busy = colliding(2);
  await publishVersion(busy.table, changeAt(), promptId, { ...content('x'), version: '1.1.0' });
  expect(busy.calls()).toBe(3);
  expect(await expectHeadToAgree(promptId)).toMatchObject({ versions: 2, rev: 2 });
});

test('endless collisions are unavailable, and nothing is written', async () => {
  const { promptId } = await newPrompt(table);
  const busy = colliding(Number.POSITIVE_INFINITY);
  const publishing = publishVersion(busy.table, changeAt(), promptId, { ...content('x'), version: '1.1.0' });
  await expect(publishing).rejects.toMatchObject({ ...failure('unavailable'), status: 503 });
  expect(busy.calls()).toBeGreaterThan(2);
  expect(await expectHeadToAgree(promptId)).toMatchObject({ versions: 1, rev: 1 });
});

test('a head that changes at every attempt ends in changed_meanwhile', async () => {
  const { promptId } = await newPrompt(table);
  let moves = 0;
  const restless = intercepted(table, async ({ name }, next) => {
    if (name === 'TransactWriteCommand') {
      await publishVersion(table, changeAt(), promptId, { ...content('x'), version: `1.1.${moves++}` });
    }
    return next();
  });
  await expect(
    publishVersion(restless, changeAt(), promptId, { ...content('x'), version: '2.0.0' }),
  ).rejects.toMatchObject(failure('changed_meanwhile'));
  expect(moves).toBe(12);
});
