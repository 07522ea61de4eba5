import { ask, refused, send } from '../../support/admin.ts';
import { changesOf } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  freshKey,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
  withFullVault,
} from '../../support/rows/secrets.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

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
    ...{
      environment: 'default',
      secretId: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      key: body.key,
      tags: ['b', 'a'],
      number: 1,
    },
    ...{ createdBy: 'editor@example.com', changedBy: 'editor@example.com' },
    ...{ createdAt: expect.any(String), changedAt: secret.createdAt },
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
