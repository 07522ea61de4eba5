import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
} from '../../support/rows/secrets.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

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
    ...{
      environment: 'default',
      secretId,
      key,
      tags,
      number: 2,
      createdAt,
      createdBy: 'operator@example.com',
    },
    ...{ changedAt: expect.any(String), changedBy: 'editor@example.com' },
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
    ...{ key, tags, number: 1, note: 'From the billing console', rotateBy: '2030-01-31' },
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
    ...{ number: 2, note: 'From the billing console', rotateBy: '2031-01-31', changedAt },
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
