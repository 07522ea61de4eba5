import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own, because every other test reads secrets.
withOwnInstance();

test('an administrator stops serving secrets and allows them again, and both are in the audit log', async () => {
  const read = () => instance.post('/api/vault/get-secrets', {});
  expect((await read()).status).toBe(200);
  await refused(instance, 'serving-set', 'invalid_request', { body: { allowed: false } });
  const body = { allowed: false, reason: 'The key ci leaked.' };
  const { vault } = await ask(instance, 'serving-set', { body });
  expect(vault.stopped).toEqual({
    ...{ at: expect.any(String), by: 'admin@example.com' },
    reason: 'The key ci leaked.',
  });
  expect(await read()).toMatchObject({ status: 403, code: 'vault_stopped', json: { res: null } });
  expect((await ask(instance, 'vault-get', { groups: ['viewer'] })).vault).toEqual(vault);
  expect((await ask(instance, 'serving-set', { body: { allowed: true } })).vault.stopped).toBeNull();
  expect((await read()).status).toBe(200);
  const changes = (await changesBy(instance, ['admin'])).map(({ action, details }) => [action, details]);
  expect(changes).toEqual([
    ['vault.start', {}],
    ['vault.stop', { reason: 'The key ci leaked.' }],
  ]);
});
