import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const released = async (apiKey: string): Promise<string[]> =>
  Object.keys((await instance.post('/api/vault/get-secrets', {}, apiKey)).json.res);

test('a key that was narrowed reads fewer secrets from the next request on', async () => {
  const [tag, key] = [uniqueName('tag'), uniqueName('NARROWED')];
  await ask(instance, 'secrets-create', { body: { key, value: 'x', tags: [tag] } });
  await ask(instance, 'secrets-create', { body: { key: `${key}_2`, value: 'x', tags: [] } });
  const { apiKey, keyId } = await instance.newKey({ name: 'wide' });
  expect(await released(apiKey)).toEqual(expect.arrayContaining([key, `${key}_2`]));
  const body = { name: 'narrow', tags: [tag, tag], prompts: ['none/*'] };
  const { key: changed } = await ask(instance, 'keys-update', { params: { keyId }, body });
  expect(changed).toMatchObject({ keyId, name: 'narrow', tags: [tag], prompts: ['none/*'] });
  expect(await released(apiKey)).toEqual([key]);
  const { keys } = await ask(instance, 'keys-list', { query: { q: keyId } });
  expect(keys).toEqual([expect.objectContaining(changed)]);
});

test('a wider limit is refused, and changes nothing', async () => {
  const expiresAt = '2099-01-01T00:00:00Z';
  const limits = { tags: ['one', 'two'], prompts: ['a/*'], expiresAt };
  const { apiKey, keyId } = await instance.newKey(limits);
  for (const [body, sentence] of [
    [{ tags: ['one'] }, '"tags" must still contain "two"'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'must be a time in the future'],
  ] as const) {
    const message = await refused(instance, 'keys-update', 'invalid_request', { params: { keyId }, body });
    expect(message).toContain(sentence);
  }
  expect(await released(apiKey)).toEqual([]);
  const { keys } = await ask(instance, 'keys-list', { query: { q: keyId } });
  expect(keys).toMatchObject([{ ...limits, status: 'active' }]);
});

test('only a key that publishes has a number of prompts that it may create, and it can be lowered', async () => {
  const body = { name: 'reader', permissions: ['prompts'], mostPrompts: 5 };
  const sentence = '"mostPrompts" is only for keys with the permission "publish"';
  expect(await refused(instance, 'keys-create', 'invalid_request', { body })).toContain(sentence);
  const { keyId } = await instance.newKey({ permissions: ['prompts', 'publish'], mostPrompts: 5 });
  const change = (wanted: object) => ({ params: { keyId }, body: wanted });
  expect(await refused(instance, 'keys-update', 'invalid_request', change({ mostPrompts: 6 }))).toContain(
    '"mostPrompts" must not be above 5',
  );
  await ask(instance, 'keys-update', change({ mostPrompts: 4 }));
  const without = { permissions: ['prompts'] };
  expect(await refused(instance, 'keys-update', 'invalid_request', change(without))).toContain(sentence);
  const { key } = await ask(instance, 'keys-update', change({ ...without, mostPrompts: 0 }));
  expect(key).toMatchObject({ ...without, mostPrompts: 0 });
});

test('a key can lose permissions, from the next request on, and gains none', async () => {
  const { apiKey, keyId } = await instance.newKey({ permissions: ['prompts', 'secrets'] });
  const params = { keyId };
  const body = { permissions: ['prompts' as const], cidrs: ['127.0.0.0/8', '::1/128'] };
  await ask(instance, 'keys-update', { params, body });
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).code).toBe('forbidden');
  const wider = { permissions: ['secrets' as const] };
  await refused(instance, 'keys-update', 'invalid_request', { params, body: wider });
});

test('the audit log records what changed, and nothing if nothing did', async () => {
  const { keyId } = await instance.newKey({ name: 'before' });
  const params = { keyId };
  await ask(instance, 'keys-update', { params, body: { name: 'after' } });
  await ask(instance, 'keys-update', { params, body: { name: 'after', tags: [] } });
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === keyId);
  expect(changes).toMatchObject([
    { action: 'api-key.update', name: 'after', details: { from: { name: 'before' }, to: { name: 'after' } } },
  ]);
});

test('a revoked key cannot be changed', async () => {
  const { keyId } = await instance.newKey({ name: 'gone' });
  await ask(instance, 'keys-revoke', { params: { keyId } });
  const body = { name: 'back' };
  const message = await refused(instance, 'keys-update', 'invalid_request', { params: { keyId }, body });
  expect(message).toContain('"gone" is revoked');
});

test('no concurrent change is lost: one fails, or both take effect', async () => {
  const { keyId } = await instance.newKey();
  const params = { keyId };
  const replies = await Promise.all(
    ['one', 'two'].map((tag) => send(instance, 'keys-update', { params, body: { tags: [tag] } })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a successor has its own id, and the list shows it with the key that it replaces', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'old' });
  const create = async (name: string) => {
    const body = { name, permissions: ['secrets' as const], replaces: keyId };
    return (await ask(instance, 'keys-create', { body })).key;
  };
  const [first, second] = [await create('first'), await create('second')];
  const row = async () => (await ask(instance, 'keys-list', { query: { q: keyId } })).keys[0];
  expect(second).toMatchObject({ replaces: keyId });
  expect(await row()).toMatchObject({
    status: 'active',
    replacedBy: { keyId: second.keyId, name: 'second' },
  });
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(200);
  await ask(instance, 'keys-revoke', { params: { keyId: second.keyId } });
  expect(await row()).toMatchObject({ replacedBy: { keyId: first.keyId } });
  await ask(instance, 'keys-revoke', { params: { keyId } });
  const body = { name: 'x', permissions: ['secrets' as const], replaces: keyId };
  expect(await refused(instance, 'keys-create', 'invalid_request', { body })).toContain('"old" is revoked');
});
