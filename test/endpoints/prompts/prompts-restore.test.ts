import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('a deleted prompt is restored with its versions, and the audit log records by whom', async () => {
  const { promptId, name } = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(), promptId);
  const { prompt } = await ask(instance, 'prompts-restore', { params: { promptId }, groups: ['editor'] });
  expect(prompt).toMatchObject({ promptId, name, latest: '1.1.0', versions: 2 });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'prompt.restore', subject: promptId }),
  );
});

test('a prompt that is not deleted cannot be restored', async () => {
  const { promptId } = await aPrompt(instance);
  await refused(instance, 'prompts-restore', 'not_deleted', { params: { promptId } });
});
