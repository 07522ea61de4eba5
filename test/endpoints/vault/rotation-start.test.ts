import { ask, refused } from '../../support/admin.ts';
import { emailOf } from '../../support/operators.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { released, storeSecret } from '../../support/rows/secrets.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// An instance of its own, because only the first rotation is never too early.
withOwnInstance();

const BY_ADMIN = ['admin'];
const vault = async () => (await ask(instance, 'vault-get', { groups: ['viewer'] })).vault;

test('an administrator replaces the key pair immediately, and every value is re-encrypted and still released', async () => {
  const { key } = await storeSecret(instance);
  const before = await released(instance, key);
  const { keyVersion } = await vault();
  const stranger = keyVersion + 1;
  await refused(instance, 'rotation-start', 'changed_meanwhile', { body: { keyVersion: stranger } });
  expect(await changesBy(instance, BY_ADMIN)).toEqual([]);

  expect(await ask(instance, 'rotation-start', { body: { keyVersion } })).toEqual({ keyVersion });
  await instance.settled();
  expect(await vault()).toMatchObject({ keyVersion: keyVersion + 1, reencrypted: true });
  expect(await released(instance, key)).toBe(before);
  expect(await changesBy(instance, BY_ADMIN)).toMatchObject([
    { action: 'vault.request-rotation', actor: emailOf(BY_ADMIN), details: { keyVersion } },
  ]);

  // A repeated request names the key pair that was replaced; a new one is too early.
  await refused(instance, 'rotation-start', 'changed_meanwhile', { body: { keyVersion } });
  await refused(instance, 'rotation-start', 'rotated_recently', { body: { keyVersion: keyVersion + 1 } });
  await instance.settled();
  expect(await vault()).toMatchObject({ keyVersion: keyVersion + 1 });
});
