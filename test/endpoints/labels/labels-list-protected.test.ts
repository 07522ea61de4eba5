import { protectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('every operator sees which labels are protected, since when and by whom, sorted by name', async () => {
  const [one, other] = [uniqueName('label'), uniqueName('label')];
  const change = changeAt();
  for (const label of [other, one]) await protectLabel(instance.table, change, label);
  const { labels } = await ask(instance, 'labels-list-protected', { groups: ['viewer'] });
  const names = labels.map(({ label }: { label: string }) => label);
  expect(names).toEqual([...names].sort());
  const since = { protectedAt: change.at.toISOString(), protectedBy: change.actor.name };
  for (const label of [one, other]) expect(labels).toContainEqual({ label, ...since });
});
