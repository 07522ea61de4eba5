import { protectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('without protection an editor moves the label again, and the audit log records who removed it', async () => {
  const { promptId } = await aPrompt(instance);
  const label = uniqueName('label');
  await protectLabel(instance.table, changeAt(), label);
  const { labels } = await ask(instance, 'labels-unprotect', { params: { label } });
  expect(JSON.stringify(labels)).not.toContain(label);
  const move = { params: { promptId, label }, body: { version: '1.0.0' }, groups: ['editor'] };
  await ask(instance, 'labels-set', move);
  expect((await changesBy(instance, ['admin'])).filter(({ subject }) => subject === label)).toMatchObject([
    { action: 'label.unprotect', name: label },
  ]);
  await refused(instance, 'labels-unprotect', 'label_not_found', { params: { label } });
});
