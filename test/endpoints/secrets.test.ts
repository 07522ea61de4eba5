import type { OperationId } from '../../contract/documentation.ts';
import { deleteSecret } from '../../lambdas/store/secrets/removals.ts';
import { ask, refused, send } from '../support/admin.ts';
import { daysAgo } from '../support/days.ts';
import { changesOf } from '../support/rows/audit.ts';
import {
  expectNothingLogged,
  freshKey,
  released,
  SECRET_MARKER,
  type SecretParts,
  secretValue,
  storeSecret,
  withFullVault,
} from '../support/rows/secrets.ts';
import { changeAt } from '../support/rows/table.ts';
import { readSecrets } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const ADMIN = 'admin@example.com';
const EDITOR = 'editor@example.com';
const fresh = (rest: object = {}) => ({ key: freshKey(), value: secretValue('new'), ...rest });
const expectReleased = async (key: string, value: string | undefined) =>
  expect(await released(key)).toBe(value);
const got = (secretId: string) => ask('secrets-get', { secretId });

/** A change that succeeds, and whose reply has no value. */
const change = async (operation: OperationId, fields: object, by: 'admin' | 'editor' = 'editor') => {
  const { text, json } = await send(operation, fields, by);
  expect([json.err, text.includes(SECRET_MARKER)]).toEqual([null, false]);
  return json.res;
};

/** The changes of a secret, the latest first, without values. */
const historyOf = async (secretId: string) => {
  const entries = await changesOf(secretId);
  expect(JSON.stringify(entries)).not.toContain(SECRET_MARKER);
  return entries.map(({ actor, action, name, details }) => [actor, action, name, details]);
};

test('only an administrator creates a name that decides which code programs run, alone or by an import', async () => {
  for (const key of [`LD_${freshKey()}`, `${freshKey().replaceAll('-', '_')}_WRAPPER`]) {
    expect(await refused('secrets-create', 'forbidden', { key, value: 'x' }, 'editor')).toContain(key);
    expect(await refused('secrets-import', 'forbidden', { text: `${key}=x` }, 'editor')).toContain(key);
    await ask('secrets-create', { key, value: 'x' });
  }
  await ask('secrets-create', fresh({ key: `FEATURE_${freshKey()}` }), 'editor');
});

test('each value that is saved or rolled back to is released by the next read and never shown, and the audit log says who did what', async () => {
  const { key, value } = fresh();
  const { secret } = await change('secrets-create', { key, value, tags: ['b', 'a', 'b'] });
  const { secretId, createdAt } = secret;
  expect(secret).toEqual({
    environment: 'default',
    secretId: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    key,
    tags: ['b', 'a'],
    number: 1,
    createdBy: EDITOR,
    changedBy: EDITOR,
    createdAt: expect.any(String),
    changedAt: createdAt,
  });
  const { readers, ...found } = await got(secretId);
  expect(found).toEqual({ secret, lastRead: null, values: [] });
  for (const reader of readers) expect(reader).toMatchObject({ reads: 0, lastAt: null });
  await expectReleased(key, value);

  const update = (fields: object) => change('secrets-update', { secretId, ...fields }, 'admin');
  const second = await update({ value: secretValue(2), number: 1 });
  const changed = { ...secret, changedAt: expect.any(String), changedBy: ADMIN };
  expect(second.secret).toEqual({ ...changed, number: 2 });
  await expectReleased(key, secretValue(2));
  expect((await update({ tags: ['t', 't'] })).secret).toMatchObject({ tags: ['t'], number: 2 });
  expect((await update({ tags: [] })).secret.tags).toEqual([]);
  await update({ value: secretValue(3) });

  const back = await change('secrets-rollback', { secretId, number: 1, current: 3 });
  expect(back.secret).toMatchObject({ number: 1, tags: [], createdAt, changedBy: EDITOR });
  await expectReleased(key, value);
  const at = expect.any(String);
  expect(await got(secretId)).toMatchObject({
    secret: back.secret,
    values: [3, 2].map((number) => ({ number, changedBy: ADMIN, changedAt: at, replacedAt: at })),
  });
  expect(await historyOf(secretId)).toEqual([
    [EDITOR, 'secret.rollback', key, { from: 3, to: 1 }],
    ...[{ number: 3 }, { tags: [] }, { tags: ['t'] }, { number: 2 }].map((details) => [
      ADMIN,
      'secret.update',
      key,
      details,
    ]),
    [EDITOR, 'secret.create', key, { tags: ['b', 'a'] }],
  ]);
});

test.each<['create' | 'update', string, object]>([
  ['create', '"key"', { key: `${SECRET_MARKER}=B` }],
  ['create', '"tags[1]"', { tags: [SECRET_MARKER, ''] }],
  ['update', '"value"', { value: SECRET_MARKER.padEnd(65_537, '.') }],
  ['update', '"value", "tags"', { number: 1 }],
  ['update', '"note"', { note: 'x'.repeat(513) }],
  ['update', '"rotateBy"', { rotateBy: '2030-02-31' }],
  ['update', 'must be below 1', { switchedOffUpTo: 1 }],
])('secrets-%s refuses what is wrong with %s, without quoting it', async (operation, field, wrong) => {
  const { secretId, key } = await storeSecret();
  const fields = operation === 'create' ? fresh(wrong) : { secretId, ...wrong };
  const sentence = await refused(`secrets-${operation}`, 'invalid_request', fields);
  expect(sentence).toContain(field);
  expect(sentence).not.toContain(SECRET_MARKER);
  await expectReleased(key, secretValue('first'));
});

test('a full vault accepts no more secrets and no longer values, whichever way they come', async () => {
  const body = fresh();
  const { secretId, key } = await storeSecret({ value: secretValue('a longer one') });
  const gone = await storeSecret();
  const update = (value: string) => ask('secrets-update', { secretId, value: secretValue(value) });
  await update('1234');
  await ask('secrets-delete', { secretId: gone.secretId });
  await withFullVault(async () => {
    for (const [operation, fields] of [
      ['secrets-create', body],
      ['secrets-update', { secretId, value: secretValue('12345') }],
      ['secrets-rollback', { secretId, number: 1 }],
      ['secrets-restore', { secretId: gone.secretId }],
    ] as const)
      expect(await refused(operation, 'vault_full', fields)).toContain('the limits are 5000');
    await expectReleased(key, secretValue('1234'));
    await update('123');
  });
  await expectReleased(key, secretValue('123'));
  for (const none of [body.key, gone.key]) await expectReleased(none, undefined);
  expectNothingLogged();
});

test('its readers are the API keys that can read it or did, each with the last value it got, and the last is named', async () => {
  const { secretId, key } = await storeSecret({ tags: ['prod', 'db'] });
  const early = await readSecrets({ key }, 'early');
  await ask('secrets-update', { secretId, value: secretValue(2) });
  const late = await readSecrets({ tags: ['db'] }, 'late');
  const able = await instance.newKey({ permissions: ['secrets'], tags: ['prod'], name: 'able' });
  const others = [
    await instance.newKey({ permissions: ['secrets'], tags: ['prod', 'other'] }),
    await instance.newKey({ permissions: ['prompts'] }),
  ];
  await ask('keys-revoke', { keyId: early.keyId });
  const { readers, lastRead } = await got(secretId);
  const lastAt = expect.any(String);
  expect(lastRead).toEqual({ at: lastAt, apiKeyId: late.keyId, apiKeyName: 'late' });
  expect(readers[0].apiKeyId).toBe(late.keyId);
  const reader = ({ keyId }: { keyId: string }) =>
    readers.find(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === keyId);
  expect([late, early, able, ...others].map(reader)).toMatchObject([
    { allowed: true, reads: 1, lastAt, number: 2 },
    { allowed: false, reads: 1, lastAt, number: 1 },
    { allowed: true, reads: 0, lastAt: null, number: null },
    undefined,
    undefined,
  ]);
});

test('a note, the day of the next rotation and the end of old credentials are kept with the secret', async () => {
  const { secretId, key } = await storeSecret({ tags: ['kept'] });
  const update = async (fields: object) => (await ask('secrets-update', { secretId, ...fields })).secret;
  const note = 'From the billing console';
  expect(await update({ note, rotateBy: '2030-01-31' })).toMatchObject({
    key,
    tags: ['kept'],
    number: 1,
    note,
    rotateBy: '2030-01-31',
  });
  await update({ value: secretValue('second'), rotateBy: '2031-01-31' });
  const { changedAt } = await update({ switchedOffUpTo: 1 });
  expect((await got(secretId)).secret).toMatchObject({
    number: 2,
    note,
    rotateBy: '2031-01-31',
    changedAt,
    switchedOff: { upTo: 1, at: expect.any(String), by: ADMIN },
  });
  await expectReleased(key, secretValue('second'));
  const cleared = await update({ note: '', rotateBy: '' });
  for (const field of ['note', 'rotateBy']) expect(cleared).not.toHaveProperty(field);
  expect((await historyOf(secretId))[0]?.[3]).toEqual({ note: 'removed', rotateBy: '' });
});

test('a change based on an outdated value or outdated tags is rejected and overwrites nothing', async () => {
  const { secretId, key } = await storeSecret({ tags: ['a'] });
  const refusal = (operation: 'update' | 'rollback', fields: object) =>
    refused(`secrets-${operation}`, 'changed_meanwhile', { secretId, ...fields });
  await ask('secrets-update', { secretId, value: secretValue('theirs'), number: 1 });
  expect(await refusal('update', { value: secretValue('mine'), number: 1 })).toContain('number 2');
  expect(await refusal('rollback', { number: 1, current: 1 })).toContain('number 2');
  await ask('secrets-update', { secretId, tags: ['a', 'b'], expectedTags: ['a'] });
  expect(await refusal('update', { tags: ['a', 'c'], expectedTags: ['a'] })).toContain('"a", "b"');
  await expectReleased(key, secretValue('theirs'));
  expect((await got(secretId)).secret.tags).toEqual(['a', 'b']);
});

test('tags that let a restricted key read the secret need an administrator who confirms; without them it is hidden again', async () => {
  const { secretId, key } = await storeSecret();
  const tags = [uniqueName('tag')];
  const { apiKey, keyId } = await instance.newKey({ tags, name: 'reporting' });
  for (const [confirm, by] of [
    [undefined, 'editor'],
    [true, 'editor'],
    [false, 'admin'],
  ] as const)
    expect(await refused('secrets-update', 'would_widen_access', { secretId, tags, confirm }, by)).toContain(
      '"reporting"',
    );
  const read = () => instance.post('/api/vault/get-secrets', { key }, apiKey);
  expect((await read()).status).toBe(404);
  await ask('secrets-update', { secretId, tags, confirm: true });
  expect((await read()).json.res).toEqual({ [key]: secretValue('first') });
  const [entry] = await historyOf(secretId);
  expect(entry?.[3]).toMatchObject({ widened: { count: 1, keys: [{ keyId, name: 'reporting' }] } });
  await ask('secrets-update', { secretId, tags: [] });
  expect((await read()).status).toBe(404);
  expectNothingLogged();
});

test('an unknown, current or expired number cannot be rolled back to', async () => {
  const { secretId, key } = await storeSecret();
  for (let n = 2; n <= 12; n++) await ask('secrets-update', { secretId, value: secretValue(n) });
  for (const number of [0, 1, 12, 13, 999_999_999])
    expect(await refused('secrets-rollback', 'value_not_found', { secretId, number })).toContain(key);
  await ask('secrets-rollback', { secretId, number: 2 });
});

test('a deleted secret is not released, and is listed with who deleted it and how long it can be restored', async () => {
  const { secretId, key } = await storeSecret();
  const other = await storeSecret();
  const { restorableUntil, ...reply } = await change('secrets-delete', { secretId });
  expect(reply).toEqual({ secretId, key });
  await expectReleased(key, undefined);
  await expectReleased(other.key, secretValue('first'));
  await refused('secrets-get', 'secret_not_found', { secretId });
  expect((await ask('secrets-list', { q: key })).total).toBe(0);
  const [deleted] = (await ask('secrets-list-deleted')).secrets;
  expect(deleted).toMatchObject({ secretId, key, deletedBy: EDITOR, restorableUntil });
  expect(Date.parse(restorableUntil) - Date.parse(deleted.deletedAt)).toBe(7 * 86_400_000);
  expect((await historyOf(secretId))[0]).toEqual([EDITOR, 'secret.delete', key, expect.any(Object)]);
});

/** A secret with two values that was deleted some days ago. */
const deleted = async (days = 0, parts: SecretParts = {}) => {
  const { secretId, key } = await storeSecret(parts);
  await ask('secrets-update', { secretId, value: secretValue('second') });
  await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
  return { secretId, key };
};

test('a secret is restored within seven days, once, with its value, tags and earlier values, and the audit log says by whom', async () => {
  const { secretId, key } = await deleted(6.9, { tags: ['kept'] });
  const { secret } = await change('secrets-restore', { secretId });
  const restored = { secretId, key, tags: ['kept'], number: 2, changedBy: ADMIN };
  expect(secret).toMatchObject(restored);
  await expectReleased(key, secretValue('second'));
  expect(await got(secretId)).toMatchObject({ secret, values: [{ number: 1 }] });
  await ask('secrets-rollback', { secretId, number: 1 });
  await expectReleased(key, secretValue('first'));
  expect(JSON.stringify(await ask('secrets-list-deleted'))).not.toContain(secretId);
  expect(await historyOf(secretId)).toContainEqual([EDITOR, 'secret.restore', key, expect.anything()]);
  await refused('secrets-restore', 'not_deleted', { secretId });
  const late = await deleted(7.1);
  await refused('secrets-restore', 'secret_not_found', { secretId: late.secretId });
  expectNothingLogged();
});

test('the key of a deleted secret can be reused at once, and until it is free again, the secret is not restored', async () => {
  const { secretId, key } = await deleted();
  const { secret: again } = await ask('secrets-create', { key, value: secretValue('again') });
  expect(again.secretId).not.toBe(secretId);
  await refused('secrets-delete', 'secret_not_found', { secretId });
  expect(await refused('secrets-restore', 'secret_key_taken', { secretId })).toContain(key);
  await expectReleased(key, secretValue('again'));
  await ask('secrets-delete', { secretId: again.secretId });
  await ask('secrets-restore', { secretId });
  await expectReleased(key, secretValue('second'));
});
