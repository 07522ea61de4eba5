import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { changesOf } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  released,
  SECRET_MARKER,
  type SecretParts,
  secretValue,
  storeSecret,
} from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('the next read does not find it, it can be restored for seven days, and the audit log says who deleted it', async () => {
  const { secretId, key } = await storeSecret(instance);
  const other = await storeSecret(instance);
  expect(await released(instance, key)).toBe(secretValue('first'));
  const reply = await send(instance, 'secrets-delete', { params: { secretId }, groups: ['editor'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { restorableUntil } = reply.json.res;
  expect(reply.json.res).toEqual({ secretId, key, restorableUntil });
  expect(await released(instance, key)).toBeUndefined();
  expect(await released(instance, other.key)).toBe(secretValue('first'));
  await refused(instance, 'secrets-get', 'secret_not_found', { params: { secretId } });
  expect((await ask(instance, 'secrets-list', { query: { q: key } })).total).toBe(0);
  const [deleted] = (await ask(instance, 'secrets-list-deleted')).secrets;
  expect(deleted).toMatchObject({ secretId, key, deletedBy: 'editor@example.com', restorableUntil });
  expect(Date.parse(restorableUntil) - Date.parse(deleted.deletedAt)).toBe(7 * 86_400_000);
  const [change] = await changesOf(instance, secretId);
  expect(change).toMatchObject({ actor: 'editor@example.com', action: 'secret.delete', name: key });
});

test('its key can be reused immediately, by a secret with another id', async () => {
  const { secretId, key } = await storeSecret(instance);
  await ask(instance, 'secrets-delete', { params: { secretId } });
  const { secret } = await ask(instance, 'secrets-create', { body: { key, value: secretValue('again') } });
  expect(secret.secretId).not.toBe(secretId);
  expect(await released(instance, key)).toBe(secretValue('again'));
  await refused(instance, 'secrets-delete', 'secret_not_found', { params: { secretId } });
  expect(await released(instance, key)).toBe(secretValue('again'));
});

test('of two concurrent deletions, one gets an error', async () => {
  const { secretId } = await storeSecret(instance);
  const sent = { params: { secretId } };
  const replies = await Promise.all([1, 2].map(() => send(instance, 'secrets-delete', sent)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  expectNothingLogged(instance);
});

/** A secret with two values that was deleted some days ago. */
const deleted = async (days = 0, parts: SecretParts = {}) => {
  const { secretId, key } = await storeSecret(instance, parts);
  await updateSecret(instance.table, changeAt(), secretId, { value: secretValue('second') });
  await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
  return { secretId, key, params: { secretId } };
};

test('a secret is restored with its value, tags and earlier values, and the audit log says by whom', async () => {
  const { secretId, key, params } = await deleted(6.9, { tags: ['kept'] });
  expect(await released(instance, key)).toBeUndefined();
  const reply = await send(instance, 'secrets-restore', { params, groups: ['editor'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { secret } = reply.json.res;
  expect(secret).toMatchObject({
    secretId,
    key,
    tags: ['kept'],
    number: 2,
    changedBy: 'operator@example.com',
  });
  expect(await released(instance, key)).toBe(secretValue('second'));
  expect(await ask(instance, 'secrets-get', { params })).toMatchObject({ secret, values: [{ number: 1 }] });
  await ask(instance, 'secrets-rollback', { params, body: { number: 1 } });
  expect(await released(instance, key)).toBe(secretValue('first'));
  const left: { secretId: string }[] = (await ask(instance, 'secrets-list-deleted')).secrets;
  expect(left.map((one) => one.secretId)).not.toContain(secretId);
  expect(await changesOf(instance, secretId)).toContainEqual(
    expect.objectContaining({ actor: 'editor@example.com', action: 'secret.restore', name: key }),
  );
});

test('it cannot be restored while its key is in use again, and can afterwards', async () => {
  const { key, params } = await deleted();
  const again = await storeSecret(instance, { key, value: secretValue('again') });
  expect(await refused(instance, 'secrets-restore', 'secret_key_taken', { params })).toContain(key);
  expect(await released(instance, key)).toBe(secretValue('again'));
  await deleteSecret(instance.table, changeAt(), again.secretId);
  await ask(instance, 'secrets-restore', { params });
  expect(await released(instance, key)).toBe(secretValue('second'));
});

test('a secret that is not deleted, or already restored, is not restored', async () => {
  const { secretId } = await storeSecret(instance);
  await refused(instance, 'secrets-restore', 'not_deleted', { params: { secretId } });
  const { params } = await deleted();
  await ask(instance, 'secrets-restore', { params });
  await refused(instance, 'secrets-restore', 'not_deleted', { params });
});

test('a secret that was deleted more than seven days ago is not found', async () => {
  const { params } = await deleted(7.1);
  await refused(instance, 'secrets-restore', 'secret_not_found', { params });
  expectNothingLogged(instance);
});
