import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { deleteSecret } from '../../lambdas/store/secrets/removals.ts';
import { rollbackSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { ask, refused, send } from '../support/admin.ts';
import { changesBy, changesOf } from '../support/rows/audit.ts';
import {
  expectNothingLogged,
  freshKey,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
  withFullVault,
} from '../support/rows/secrets.ts';
import { changeAt } from '../support/rows/table.ts';
import { readSecrets } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const fresh = (rest: object = {}) => ({ key: freshKey(), value: secretValue('new'), ...rest });

test('only an administrator creates a name that decides which code programs run, alone or by an import', async () => {
  const name = (start: string) => `${start}${freshKey()}`;
  for (const key of [name('LD_'), `${freshKey().replaceAll('-', '_')}_WRAPPER`]) {
    const body = { key, value: 'x' };
    expect(await refused(instance, 'secrets-create', 'forbidden', { body, groups: ['editor'] })).toContain(
      key,
    );
    const env = { body: { text: `${key}=x` }, groups: ['editor'] };
    expect(await refused(instance, 'secrets-import', 'forbidden', env)).toContain(key);
    expect((await send(instance, 'secrets-create', { body })).status).toBe(200);
  }
  expect(
    (await send(instance, 'secrets-create', { body: fresh({ key: name('FEATURE_') }), groups: ['editor'] }))
      .status,
  ).toBe(200);
});

test('a stored value is released to applications and never shown to operators, and the audit log says who stored it', async () => {
  const body = fresh({ tags: ['b', 'a', 'b'] });
  const reply = await send(instance, 'secrets-create', { body, groups: ['editor'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { secret } = reply.json.res;
  expect(secret).toEqual({
    environment: 'default',
    secretId: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    key: body.key,
    tags: ['b', 'a'],
    number: 1,
    createdBy: 'editor@example.com',
    changedBy: 'editor@example.com',
    createdAt: expect.any(String),
    changedAt: secret.createdAt,
  });
  const { readers, ...found } = await ask(instance, 'secrets-get', { params: { secretId: secret.secretId } });
  expect(found).toEqual({ secret, lastRead: null, values: [] });
  for (const reader of readers) expect(reader).toMatchObject({ reads: 0, lastAt: null });
  expect(await released(instance, body.key)).toBe(body.value);
  expect(await changesOf(instance, secret.secretId)).toMatchObject([
    { actor: 'editor@example.com', action: 'secret.create', name: body.key, details: { tags: ['b', 'a'] } },
  ]);
});

test.each([
  ['an empty value', ''],
  ['64 KB', 'é'.repeat(32_768)],
  ['lines, quotes and placeholders', '{"a": "\\n"}\r\n\t{{x}} $& \u0000😀'],
])('%s is a valid value', async (_, value) => {
  const body = fresh({ value });
  await ask(instance, 'secrets-create', { body });
  expect(await released(instance, body.key)).toBe(value);
});

test('a key is any text without = and control characters', async () => {
  for (const key of ['__proto__', 'constructor', 'with space', 'Ümläut', '../x?y#z', 'k'.repeat(512)]) {
    expect((await ask(instance, 'secrets-create', { body: fresh({ key }) })).secret.key).toBe(key);
  }
});

test('a key in use is rejected by name, and its value stays', async () => {
  const body = fresh();
  await ask(instance, 'secrets-create', { body });
  const again = { body: { ...body, value: secretValue('other') } };
  expect(await refused(instance, 'secrets-create', 'secret_key_taken', again)).toContain(body.key);
  expect(await released(instance, body.key)).toBe(body.value);
});

test.each([
  ['a key with =', { key: `${SECRET_MARKER}=B` }, '"key"'],
  ['a value above 64 KB', { value: SECRET_MARKER.padEnd(65_537, '.') }, '"value"'],
  ['an empty tag', { tags: [SECRET_MARKER, ''] }, '"tags[1]"'],
])('%s is rejected by name, without quoting the input', async (_, wrong, field) => {
  const sentence = await refused(instance, 'secrets-create', 'invalid_request', { body: fresh(wrong) });
  expect(sentence).toContain(field);
  expect(sentence).not.toContain(SECRET_MARKER);
});

test('a full vault accepts no more secrets and no longer values, whichever way they come', async () => {
  const body = fresh();
  const { secretId, key } = await storeSecret(instance, { value: secretValue('a longer one') });
  const gone = await storeSecret(instance);
  await ask(instance, 'secrets-update', { params: { secretId }, body: { value: secretValue('1234') } });
  await ask(instance, 'secrets-delete', { params: { secretId: gone.secretId } });
  const params = { secretId };
  await withFullVault(instance, async () => {
    for (const [operation, sent] of [
      ['secrets-create', { body }],
      ['secrets-update', { params, body: { value: secretValue('12345') } }],
      ['secrets-rollback', { params, body: { number: 1 } }],
      ['secrets-restore', { params: { secretId: gone.secretId } }],
    ] as const)
      expect(await refused(instance, operation, 'vault_full', sent)).toContain('the limits are 5000');
    expect(await released(instance, key)).toBe(secretValue('1234'));
    await ask(instance, 'secrets-update', { params, body: { value: secretValue('123') } });
  });
  expect(await released(instance, key)).toBe(secretValue('123'));
  for (const none of [body.key, gone.key]) expect(await released(instance, none)).toBeUndefined();
  expectNothingLogged(instance);
});

const got = (secretId: string) => ask(instance, 'secrets-get', { params: { secretId } });

test('a secret lists its earlier values newest first, without their contents', async () => {
  const secret = await storeSecret(instance, { tags: ['a'] });
  const { secretId } = secret;
  expect(await got(secretId)).toMatchObject({ secret, lastRead: null, values: [] });
  for (const n of [2, 3]) await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(n) });
  await rollbackSecret(instance.table, changeAt(), secretId, 1);
  const reply = await send(instance, 'secrets-get', { params: { secretId } });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res.secret).toMatchObject({ number: 1, createdAt: secret.createdAt });
  expect(reply.json.res.values).toEqual(
    [3, 2].map((number) => ({
      number,
      changedBy: 'operator@example.com',
      changedAt: expect.any(String),
      replacedAt: expect.any(String),
    })),
  );
  await got(secretId);
});

test('its readers are the API keys that can read it or did, each with the last value it got, and the last is named', async () => {
  const { secretId, key } = await storeSecret(instance, { tags: ['prod', 'db'] });
  const early = await readSecrets(instance, { key }, 'early');
  await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(2) });
  const late = await readSecrets(instance, { tags: ['db'] }, 'late');
  const able = await instance.newKey({ permissions: ['secrets'], tags: ['prod'], name: 'able' });
  const others = [
    await instance.newKey({ permissions: ['secrets'], tags: ['prod', 'other'] }),
    await instance.newKey({ permissions: ['prompts'] }),
  ];
  await revokeApiKey(instance.table, changeAt(), early.keyId);
  const { readers, lastRead } = await got(secretId);
  expect(lastRead).toEqual({ at: expect.any(String), apiKeyId: late.keyId, apiKeyName: 'late' });
  const reader = (id: string) => readers.find(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === id);
  const lastAt = expect.any(String);
  expect(readers[0].apiKeyId).toBe(late.keyId);
  expect(reader(late.keyId)).toMatchObject({ allowed: true, reads: 1, lastAt, number: 2 });
  expect(reader(early.keyId)).toMatchObject({ allowed: false, reads: 1, lastAt, number: 1 });
  expect(reader(able.keyId)).toMatchObject({ allowed: true, reads: 0, lastAt: null, number: null });
  for (const { keyId } of others) expect(reader(keyId)).toBeUndefined();
});

test('a missing or deleted secret is not found', async () => {
  const { secretId } = await storeSecret(instance);
  await deleteSecret(instance.table, changeAt(), secretId);
  for (const id of [secretId, 'unknown', '__proto__', 'a?b%00']) {
    expect(
      await refused(instance, 'secrets-get', 'secret_not_found', { params: { secretId: id } }),
    ).toContain(id);
  }
  await refused(instance, 'secrets-get', 'invalid_request', { params: { secretId: 'x'.repeat(65) } });
  expectNothingLogged(instance);
});

test('the next read by an application returns the new value, and the old one can be rolled back to', async () => {
  const { secretId, key, tags, createdAt } = await storeSecret(instance, { tags: ['kept'] });
  expect(await released(instance, key)).toBe(secretValue('first'));
  const sent = {
    params: { secretId },
    body: { value: secretValue('second'), number: 1 },
    groups: ['editor'],
  };
  const reply = await send(instance, 'secrets-update', sent);
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { secret } = reply.json.res;
  expect(secret).toEqual({
    environment: 'default',
    secretId,
    key,
    tags,
    number: 2,
    createdAt,
    createdBy: 'operator@example.com',
    changedAt: expect.any(String),
    changedBy: 'editor@example.com',
  });
  expect(await released(instance, key)).toBe(secretValue('second'));
  const found = await ask(instance, 'secrets-get', { params: { secretId } });
  expect(found).toMatchObject({ secret, values: [{ number: 1, changedBy: 'operator@example.com' }] });
});

test('tags can change without the value, and control which applications see it', async () => {
  const { secretId, key } = await storeSecret(instance, { tags: ['old'] });
  const sent = { params: { secretId }, body: { tags: ['new', 'new'] } };
  expect((await ask(instance, 'secrets-update', sent)).secret).toMatchObject({ tags: ['new'], number: 1 });
  const read = async (tag: string) => {
    const { apiKey } = await instance.newKey({ tags: [tag] });
    return (await instance.post('/api/vault/get-secrets', { key }, apiKey)).status;
  };
  expect([await read('old'), await read('new')]).toEqual([404, 200]);
  const none = await ask(instance, 'secrets-update', { params: { secretId }, body: { tags: [] } });
  expect(none.secret.tags).toEqual([]);
});

test('a note, the day of the next rotation and the end of old credentials are kept with the secret', async () => {
  const { secretId, key, tags } = await storeSecret(instance, { tags: ['kept'] });
  const params = { secretId };
  const update = async (body: object) => (await ask(instance, 'secrets-update', { params, body })).secret;
  expect(await update({ note: 'From the billing console', rotateBy: '2030-01-31' })).toMatchObject({
    key,
    tags,
    number: 1,
    note: 'From the billing console',
    rotateBy: '2030-01-31',
  });
  const message = await refused(instance, 'secrets-update', 'invalid_request', {
    params,
    body: { switchedOffUpTo: 1 },
  });
  expect(message).toContain('must be below 1');
  await update({ value: secretValue('second'), rotateBy: '2031-01-31' });
  const { changedAt } = await update({ switchedOffUpTo: 1 });
  const { secret } = await ask(instance, 'secrets-get', { params });
  expect(secret).toMatchObject({
    number: 2,
    note: 'From the billing console',
    rotateBy: '2031-01-31',
    changedAt,
    switchedOff: { upTo: 1, at: expect.any(String), by: 'admin@example.com' },
  });
  expect(await released(instance, key)).toBe(secretValue('second'));
  const cleared = await update({ note: '', rotateBy: '' });
  expect(cleared).not.toHaveProperty('note');
  expect(cleared).not.toHaveProperty('rotateBy');
  const [latest] = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === secretId);
  expect(latest?.details).toEqual({ note: 'removed', rotateBy: '' });
});

test('the audit log records who changed what, without values', async () => {
  const { secretId, key } = await storeSecret(instance);
  const params = { secretId };
  await ask(instance, 'secrets-update', { params, body: { value: secretValue(2) }, groups: ['editor'] });
  await ask(instance, 'secrets-update', { params, body: { tags: ['t'] }, groups: ['editor'] });
  const changes = (await changesBy(instance, ['editor'])).filter(({ subject }) => subject === secretId);
  expect(changes).toEqual([
    expect.objectContaining({ action: 'secret.update', name: key, details: { tags: ['t'] } }),
    expect.objectContaining({ action: 'secret.update', name: key, details: { number: 2 } }),
  ]);
  expect(JSON.stringify(changes)).not.toContain(SECRET_MARKER);
});

test('an update based on an outdated value or outdated tags is rejected and overwrites nothing', async () => {
  const { secretId, key } = await storeSecret(instance, { tags: ['a'] });
  const update = (body: object) => ({ params: { secretId }, body });
  const refusal = (body: object) => refused(instance, 'secrets-update', 'changed_meanwhile', update(body));
  await ask(instance, 'secrets-update', update({ value: secretValue('theirs'), number: 1 }));
  expect(await refusal({ value: secretValue('mine'), number: 1 })).toContain('number 2');
  await ask(instance, 'secrets-update', update({ tags: ['a', 'b'], expectedTags: ['a'] }));
  expect(await refusal({ tags: ['a', 'c'], expectedTags: ['a'] })).toContain('"a", "b"');
  expect(await released(instance, key)).toBe(secretValue('theirs'));
  expect((await ask(instance, 'secrets-get', { params: { secretId } })).secret.tags).toEqual(['a', 'b']);
});

test.each([
  ['neither value nor tags', { number: 1 }, '"value", "tags"'],
  ['a value above 64 KB', { value: SECRET_MARKER.padEnd(65_537, '.') }, '"value"'],
  ['a note above 512 bytes', { note: 'x'.repeat(513) }, '"note"'],
  ['a day that is none', { rotateBy: '2030-02-31' }, '"rotateBy"'],
])('%s is rejected', async (_, body, field) => {
  const { secretId, key } = await storeSecret(instance);
  const sentence = await refused(instance, 'secrets-update', 'invalid_request', {
    params: { secretId },
    body,
  });
  expect(sentence).toContain(field);
  expect(sentence).not.toContain(SECRET_MARKER);
  expect(await released(instance, key)).toBe(secretValue('first'));
});

test('tags that let a restricted key read the secret need an administrator who confirms', async () => {
  const { secretId, key } = await storeSecret(instance);
  const tags = [uniqueName('tag')];
  const { apiKey, keyId } = await instance.newKey({ tags, name: 'reporting' });
  const sent = { params: { secretId }, body: { tags } };
  const by = (groups: string[], confirm: boolean) => ({ ...sent, groups, query: { confirm } });
  for (const call of [{ ...sent, groups: ['editor'] }, by(['editor'], true), by(['admin'], false)]) {
    expect(await refused(instance, 'secrets-update', 'would_widen_access', call)).toContain('"reporting"');
  }
  const read = () => instance.post('/api/vault/get-secrets', { key }, apiKey);
  expect((await read()).status).toBe(404);
  await ask(instance, 'secrets-update', by(['admin'], true));
  expect((await read()).json.res).toEqual({ [key]: secretValue('first') });
  const [entry] = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === secretId);
  expect(entry?.details).toMatchObject({ widened: { count: 1, keys: [{ keyId, name: 'reporting' }] } });
  expectNothingLogged(instance);
});

/** A secret whose values have the numbers 1 to `last`; the first one is `first`. */
const changed = async (last = 2, first = secretValue(1)) => {
  const { secretId, key } = await storeSecret(instance, { value: first });
  for (let n = 2; n <= last; n++) {
    await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(n) });
  }
  return { secretId, key, params: { secretId } };
};

test('the next read returns the earlier value under its own number, and the audit log has both numbers but no value', async () => {
  const { key, params } = await changed(3);
  const reply = await send(instance, 'secrets-rollback', {
    params,
    body: { number: 1, current: 3 },
    groups: ['editor'],
  });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res.secret).toMatchObject({ number: 1, changedBy: 'editor@example.com' });
  expect(await released(instance, key)).toBe(secretValue(1));
  const found = await ask(instance, 'secrets-get', { params });
  expect(found.secret).toEqual(reply.json.res.secret);
  expect(found.values.map(({ number }: { number: number }) => number)).toEqual([3, 2]);
  const [change] = await changesOf(instance, params.secretId);
  const details = { from: 3, to: 1 };
  expect(change).toMatchObject({
    actor: 'editor@example.com',
    action: 'secret.rollback',
    name: key,
    details,
  });
});

test('an unknown, current or expired number cannot be rolled back to', async () => {
  const { key, params } = await changed(12);
  for (const number of [0, 1, 12, 13, 999_999_999]) {
    const sentence = await refused(instance, 'secrets-rollback', 'value_not_found', {
      params,
      body: { number },
    });
    expect(sentence).toContain(key);
  }
  await ask(instance, 'secrets-rollback', { params, body: { number: 2 } });
});

test('a rollback based on an outdated value is rejected', async () => {
  const { key, params } = await changed(3);
  const late = { params, body: { number: 1, current: 2 } };
  expect(await refused(instance, 'secrets-rollback', 'changed_meanwhile', late)).toContain('number 3');
  expect(await released(instance, key)).toBe(secretValue(3));
  expectNothingLogged(instance);
});
