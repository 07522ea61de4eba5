import { findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { withHotRows } from '../../lambdas/store/batched-reads.ts';
import { readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { intercepted, throttled } from '../support/aws/intercept.ts';
import { newApiKey } from '../support/rows/api-keys.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../support/rows/table.ts';

withTestTable();

/** A container of a function that applications call, whose reads can be throttled. */
const newContainer = () => {
  let at = Date.now();
  let throttle: 'nothing' | 'calls' | 'parts' = 'nothing';
  const reads: unknown[] = [];
  const watched = intercepted(table, async ({ name, input }, next) => {
    if (name !== 'BatchGetCommand') return next();
    reads.push(input);
    if (throttle === 'calls') throw throttled();
    return throttle === 'parts' ? { Responses: {}, UnprocessedKeys: input.RequestItems } : next();
  });
  return {
    table: withHotRows(watched, () => at),
    reads,
    throttle: (what: typeof throttle) => {
      throttle = what;
    },
    pass: (ms: number) => {
      at += ms;
    },
  };
};

test('the rows that a request needs are read in one call', async () => {
  const container = newContainer();
  const { record } = await newApiKey(table);
  const { promptId, name } = await newPrompt(table);
  const [key, head, same, none] = await Promise.all([
    findApiKey(container.table, record.keyId),
    readPromptHead(container.table, promptId),
    readPromptHead(container.table, promptId),
    findApiKey(container.table, 'nobody'),
  ]);
  expect([key, head?.name, same?.name, none]).toEqual([record, name, name, undefined]);
  expect(container.reads).toHaveLength(1);
});

test.each(['calls', 'parts'] as const)(
  'while %s are throttled, a container answers from its own row for less than a second',
  async (what) => {
    const container = newContainer();
    const { record } = await newApiKey(table);
    const find = () => findApiKey(container.table, record.keyId);
    await find();
    await revokeApiKey(table, changeAt(), record.keyId);
    container.throttle(what);
    container.pass(999);
    expect(await find()).toEqual(record);
    container.pass(1);
    await expectRefused(find(), 'unavailable');
    container.throttle('nothing');
    expect((await find())?.revokedAt).toBeDefined();
  },
);

test('a container that has not read the row before retries until the read succeeds', async () => {
  const container = newContainer();
  const { promptId } = await newPrompt(table);
  container.throttle('parts');
  const head = readPromptHead(container.table, promptId);
  container.throttle('nothing');
  expect((await head)?.promptId).toBe(promptId);
});

test('a row with a wrong signature is rejected, not replaced by the one in memory', async () => {
  const container = newContainer();
  const { promptId } = await newPrompt(table);
  await readPromptHead(container.table, promptId);
  const forged = { ...table, signing: { ...table.signing, isSigned: () => false } };
  const { hot } = container.table;
  await expectRefused(
    readPromptHead({ ...forged, ...(hot === undefined ? {} : { hot }) }, promptId),
    'integrity',
  );
});
