import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const deleted = async (at?: Date) => {
  const { promptId, name } = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(at), promptId);
  return { promptId, name };
};

test('a deleted prompt is restored with its versions, and the audit log records by whom', async () => {
  const { promptId, name } = await deleted();
  const { prompt } = await ask(instance, 'prompts-restore', { params: { promptId }, groups: ['editor'] });
  expect(prompt).toMatchObject({ promptId, name, latest: '1.1.0', versions: 2 });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'prompt.restore', subject: promptId }),
  );
});

test('a prompt that is not deleted, or was deleted too long ago, cannot be restored', async () => {
  const { promptId } = await aPrompt(instance);
  await refused(instance, 'prompts-restore', 'not_deleted', { params: { promptId } });
  const old = await deleted(daysAgo(7.01));
  await refused(instance, 'prompts-restore', 'prompt_not_found', { params: { promptId: old.promptId } });
});
