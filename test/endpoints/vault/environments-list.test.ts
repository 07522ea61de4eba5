import { ask } from '../../support/admin.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('an installation begins with the environment default', async () => {
  const { environments } = await ask(instance, 'environments-list', { groups: ['viewer'] });
  expect(environments).toEqual([
    { name: 'default', isNew: false, secrets: expect.any(Number), stopped: null },
  ]);
});
