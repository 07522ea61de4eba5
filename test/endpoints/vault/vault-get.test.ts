import { ask } from '../../support/admin.ts';
import { storeSecret } from '../../support/rows/secrets.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('returns the current revision and that secrets are released', async () => {
  const { vault: before } = await ask(instance, 'vault-get', { groups: ['viewer'] });
  await storeSecret(instance);
  const { vault } = await ask(instance, 'vault-get', { groups: ['viewer'] });
  expect(vault).toMatchObject({ stopped: null, changedBy: expect.any(String) });
  expect(vault.revision).toBeGreaterThan(before.revision);
});
