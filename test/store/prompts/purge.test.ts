import { daysAfter } from '../../../lambdas/core/days.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { saveExamples } from '../../../lambdas/store/prompts/examples.ts';
import { promptPartition } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, rowsIn, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const START = new Date('2026-03-01T12:00:00.000Z');
const day = (days: number) => daysAfter(START, days);
const purge = (days: number, through = table) => purgePrompts(through, day(days));

// What the test before has left.
beforeEach(() => purge(1_000));

/** A prompt with two versions, the remains of a third, a draft and example values. */
const fullPrompt = async () => {
  const { promptId, name } = await newPrompt(table, { at: day(0) });
  for (const version of ['1.1.0', '1.2.0'])
    await publishVersion(table, changeAt(day(0.1)), promptId, { ...content(version), version });
  await deleteVersion(table, changeAt(day(0.2)), promptId, '1.2.0');
  await saveDraft(table, changeAt(day(0.3)), promptId, content('draft'));
  await saveExamples(table, changeAt(day(0.4)), promptId, { user: 'Ada' });
  return { promptId, name };
};

/** Kinds of the rows in a prompt's partition, with how many there are of each. */
const rowsOf = async (promptId: string): Promise<Record<string, number>> => {
  const kinds = (await rowsIn(table, promptPartition(promptId))).map(
    ({ sk }) => String(sk).split('#')[0] ?? '',
  );
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((k) => k === kind).length]),
  );
};

const deletionRows = async (): Promise<number> => (await rowsIn(table, 'PROMPT-PURGE')).length;

test('a prompt deleted more than seven days ago is purged, except its name and highest number, and not restored by a clock that is behind', async () => {
  const { promptId, name } = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), promptId);
  expect(await purge(8)).toBe(0);
  expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 3, DRAFT: 1, EXAMPLES: 1, EVENT: 5 });
  expect(await purge(8.01)).toBe(1);
  expect(await rowsOf(promptId)).toEqual({ HEAD: 1 });
  expect(await deletionRows()).toBe(0);
  for (const days of [7.999, 9])
    await expectRefused(restorePrompt(table, changeAt(day(days)), promptId), 'prompt_not_found');
  const again = await newPrompt(table, { at: day(9), prompt: 'new', name });
  expect(again).toMatchObject({ latest: '2.0.0', reservedUpTo: '1.2.0', versions: 1 });
  expect(await promptFinder(table)({ name })).toMatchObject({ version: '2.0.0', prompt: 'new' });
});

test('a restored prompt keeps everything', async () => {
  const { promptId } = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), promptId);
  await restorePrompt(table, changeAt(day(2)), promptId);
  const before = await rowsOf(promptId);
  expect(await purge(30)).toBe(0);
  expect(await rowsOf(promptId)).toEqual(before);
  expect(await deletionRows()).toBe(0);
});

test('purging an earlier deletion affects nothing of a prompt that has its name since, nor a later deletion that can still be undone', async () => {
  const { promptId, name } = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), promptId);
  await newPrompt(table, { at: day(2), prompt: 'second', name, overDeleted: true });
  await saveDraft(table, changeAt(day(3)), promptId, content('new draft'));
  await deletePrompt(table, changeAt(day(5)), promptId);
  expect(await purge(9)).toBe(1);
  await restorePrompt(table, changeAt(day(10)), promptId);
  expect(await promptFinder(table)({ name })).toMatchObject({
    version: '2.0.0',
    prompt: 'second',
  });
  expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 1, DRAFT: 1, EVENT: 3 });
});

test.each([0, 3, 8])('a run that is cut short after %i removals is completed by the next', async (most) => {
  const { promptId } = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), promptId);
  let removals = 0;
  const cutShort = intercepted(table, ({ name: command }, next) => {
    if (command === 'DeleteCommand' && ++removals > most) return Promise.reject(new Error('killed'));
    return next();
  });
  await expect(purge(9, cutShort)).rejects.toThrow(AggregateError);
  expect(await purge(9)).toBe(1);
  expect(await rowsOf(promptId)).toEqual({ HEAD: 1 });
  expect(await deletionRows()).toBe(0);
});

test('a name reused during a purge keeps its new rows', async () => {
  const { promptId, name } = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), promptId);
  let created = false;
  const racing = intercepted(table, async ({ name: command }, next) => {
    if (command === 'TransactWriteCommand' && !created) {
      created = true;
      await newPrompt(table, { at: day(9), prompt: 'new', name });
    }
    return next();
  });
  expect(await purge(9, racing)).toBe(0);
  expect(await purge(9)).toBe(1);
  expect(await promptFinder(table)({ name })).toMatchObject({ version: '2.0.0', prompt: 'new' });
  expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 1, EVENT: 1 });
});

test('a prompt that cannot be purged does not block others, and is reported at the end', async () => {
  const stuck = await fullPrompt();
  const other = await fullPrompt();
  await deletePrompt(table, changeAt(day(1)), stuck.promptId);
  await deletePrompt(table, changeAt(day(1)), other.promptId);
  const failing = intercepted(table, ({ input }, next) =>
    JSON.stringify(input).includes(`PROMPT#${stuck.promptId}`)
      ? Promise.reject(new Error('Injected.'))
      : next(),
  );
  await expect(purge(9, failing)).rejects.toThrow(AggregateError);
  expect(await rowsOf(other.promptId)).toEqual({ HEAD: 1 });
  expect(await purge(9)).toBe(1);
  expect(await rowsOf(stuck.promptId)).toEqual({ HEAD: 1 });
});
