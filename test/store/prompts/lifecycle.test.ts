import { daysAfter } from '../../../lambdas/core/days.ts';
import { listDeleted } from '../../../lambdas/store/prompts/deletions.ts';
import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import {
  createPrompt,
  deletePrompt,
  getPrompt,
  restorePrompt,
} from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { listVersions } from '../../../lambdas/store/prompts/version-lists.ts';
import { content, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const START = new Date('2026-03-01T12:00:00.000Z');
const later = (days: number) => changeAt(daysAfter(START, days));
const deletedNames = async (days: number) =>
  (await listDeleted(table, daysAfter(START, days), 100)).items.map(({ name }) => name);

test('a deleted prompt is not changed, no version of it is read, and no draft saved', async () => {
  const { promptId } = await newPrompt(table);
  await deletePrompt(table, changeAt(), promptId);
  await expectRefused(getVersion(table, promptId, '1.0.0'), 'prompt_not_found');
  await expectRefused(setLabel(table, changeAt(), promptId, 'l', '1.0.0'), 'prompt_not_found');
  await expectRefused(saveDraft(table, changeAt(), promptId, content('x')), 'prompt_not_found');
});

test('a prompt deleted up to seven days ago is restored completely', async () => {
  const { promptId, name } = await newPrompt(table, { at: START });
  await publishVersion(table, later(1), promptId, { ...content('two'), tags: ['t'], version: '2.0.0' });
  await setLabel(table, later(1), promptId, 'production', '1.0.0');
  await saveDraft(table, later(1), promptId, content('draft'));
  const before = await getPrompt(table, promptId);
  await deletePrompt(table, later(2), promptId);
  expect(await deletedNames(3)).toContain(name);

  await restorePrompt(table, later(9), promptId);
  const after = await getPrompt(table, promptId);
  const { rev, generation, changedAt } = after.head;
  expect(after).toEqual({ ...before, head: { ...before.head, rev, generation, changedAt } });
  expect(rev).toBe(before.head.rev + 2);
  expect(await promptFinder(table)({ name, label: 'production' })).toMatchObject({
    version: '1.0.0',
  });
  expect(await deletedNames(9)).not.toContain(name);
});

test('a prompt deleted more than seven days ago cannot be restored and is not listed', async () => {
  const { promptId, name } = await newPrompt(table, { at: START });
  await deletePrompt(table, later(0), promptId);
  const justAfter = changeAt(new Date(daysAfter(START, 7).getTime() + 1));
  await expectRefused(restorePrompt(table, justAfter, promptId), 'prompt_not_found', '7 days');
  expect(await deletedNames(7)).toContain(name);
  expect(await deletedNames(7.1)).not.toContain(name);
});

describe('a reused name', () => {
  const recreated = async () => {
    const { promptId, name } = await newPrompt(table, { at: START, version: '1.4.0' });
    await publishVersion(table, later(0.1), promptId, { ...content('old'), version: '1.2.0' });
    await saveDraft(table, later(0.1), promptId, content('old draft'));
    await deletePrompt(table, later(1), promptId);
    return {
      promptId,
      name,
      create: (version?: string) =>
        createPrompt(table, later(2), { ...content('new'), name, version, overDeleted: true }),
    };
  };

  test('starts at any higher version and at no lower one, and never publishes an earlier number, even an unused one', async () => {
    const { promptId, create } = await recreated();
    for (const version of ['1.4.0', '1.3.9'])
      await expectRefused(create(version), 'version_taken', 'above 1.4.0');
    expect((await create('1.4.1')).latest).toBe('1.4.1');
    for (const version of ['1.4.0', '0.1.0'])
      await expectRefused(
        publishVersion(table, later(3), promptId, { ...content('x'), version }),
        'version_taken',
        'above 1.4.0',
      );
  });

  test('has none of the earlier versions, drafts, labels and events', async () => {
    const { promptId, name, create } = await recreated();
    await create();
    const find = promptFinder(table);
    for (const version of ['1.4.0', '1.2.0'])
      await expectRefused(find({ name, version }), 'version_not_found', version);
    await expectRefused(getVersion(table, promptId, '1.4.0'), 'version_not_found');
    await expectRefused(setLabel(table, later(3), promptId, 'l', '1.4.0'), 'version_not_found');
    expect(await readDraft(table, promptId)).toBeUndefined();
    const { head } = await getPrompt(table, promptId);
    expect((await listVersions(table, head, 9)).items.map(({ version }) => version)).toEqual(['2.0.0']);
    const events = await eventsSince(table, promptId, head.createdAt);
    expect(events.map(({ type }) => type)).toEqual(['prompt-created']);
  });

  test('is no longer on the list of restorable prompts', async () => {
    const { promptId, name, create } = await recreated();
    expect(await deletedNames(2)).toContain(name);
    await create();
    expect(await deletedNames(2)).not.toContain(name);
    await expectRefused(restorePrompt(table, later(2), promptId), 'not_deleted');
  });
});
