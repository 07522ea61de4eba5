import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const onNew = async (label = 'production') => {
  const { promptId } = await aPrompt(instance);
  await setLabel(instance.table, changeAt(), promptId, label, '1.0.0');
  return { params: { promptId, label } };
};

test('a label is removed, its version stays, and the audit log records by whom', async () => {
  const sent = { ...(await onNew('große_Käfer')), groups: ['editor'] };
  const { prompt } = await ask(instance, 'labels-remove', sent);
  expect(prompt).toMatchObject({ labels: [], versions: 2 });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({
      action: 'label.remove',
      details: { label: 'große_Käfer', from: '1.0.0' },
    }),
  );
  await refused(instance, 'labels-remove', 'label_not_found', sent);
});

test('a removal based on an outdated state is rejected', async () => {
  const sent = await onNew();
  await refused(instance, 'labels-remove', 'changed_meanwhile', { ...sent, query: { rev: 2 } });
  await ask(instance, 'labels-remove', { ...sent, query: { rev: 3 } });
});
