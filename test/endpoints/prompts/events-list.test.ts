import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('the history of a label lists its versions, who moved it, and when it was removed', async () => {
  const { promptId } = await aPrompt(instance);
  const { table } = instance;
  const at = (second: number) => changeAt(new Date(Date.now() + second * 1_000));
  await setLabel(table, at(1), promptId, 'production', '1.0.0');
  await setLabel(table, at(2), promptId, 'staging', '1.0.0');
  await setLabel(table, at(3), promptId, 'production', '1.1.0');
  await removeLabel(table, at(4), promptId, 'production');
  const { events } = await ask(instance, 'events-list', {
    params: { promptId },
    query: { label: 'production' },
  });
  const known = { at: expect.any(String), actor: expect.any(String), label: 'production' };
  expect(events).toEqual([
    { ...known, type: 'label-removed', from: '1.1.0' },
    { ...known, type: 'label-set', from: '1.0.0', to: '1.1.0' },
    { ...known, type: 'label-set', from: null, to: '1.0.0' },
  ]);
  expect((await ask(instance, 'events-list', { params: { promptId } })).events).toHaveLength(6);
});
