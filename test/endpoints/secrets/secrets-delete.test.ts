import { ask, refused, send } from '../../support/admin.ts';
import { changesOf } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
} from '../../support/rows/secrets.ts';
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
