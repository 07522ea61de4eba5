import { environmentsList } from '../../../contract/endpoints/vault/environments-list.ts';
import { ask } from '../../support/admin.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('an installation begins with the environment default', async () => {
  const { environments } = await ask(instance, environmentsList, { groups: ['viewer'] });
  expect(environments).toEqual([{ name: 'default', isNew: false }]);
});
