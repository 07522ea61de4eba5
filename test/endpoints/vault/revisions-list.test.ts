import { ask } from '../../support/admin.ts';
import { storeSecret } from '../../support/rows/secrets.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('lists revisions newest first, each with the change that made it', async () => {
  const { key } = await storeSecret(instance);
  const { revisions, total } = await ask(instance, 'revisions-list', { groups: ['viewer'] });
  expect(total).toBeGreaterThanOrEqual(revisions.length);
  const row = revisions.find(({ change }: { change: { name: string } | null }) => change?.name === key);
  expect(row).toMatchObject({ change: { action: 'secret.create' }, changedBy: 'operator@example.com' });
  const numbers = revisions.map(({ revision }: { revision: number }) => revision);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});
