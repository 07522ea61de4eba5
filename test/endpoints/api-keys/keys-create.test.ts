import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { secretValue, storeSecret } from '../../support/rows/secrets.ts';
import { allItems } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

const PROMPT = '/api/prompt/get-compiled';
const SECRETS = '/api/vault/get-secrets';

const SHOP = uniqueName('SHOP');
const OTHER = uniqueName('OTHER');

let promptId: string;
withSharedInstance();
beforeAll(async () => {
  ({ promptId } = await aPrompt(instance));
  await storeSecret(instance, { key: SHOP, tags: [SHOP, 'prod'] });
  await storeSecret(instance, { key: OTHER, tags: ['prod'] });
});

const wanted = (rest: object = {}) => ({ name: 'web', permissions: ['prompts', 'secrets'], ...rest });
const create = async (rest: object = {}): Promise<{ apiKey: string; key: { keyId: string } }> =>
  ask(instance, 'keys-create', { body: wanted(rest) });

/** The replies of both endpoints to a key. */
const statuses = async (apiKey: string): Promise<(number | string)[]> => {
  const replies = [
    await instance.post(PROMPT, { promptId }, apiKey),
    await instance.post(SECRETS, {}, apiKey),
  ];
  return replies.map(({ status, code }) => code ?? status);
};

test('a new key works immediately and has the requested settings', async () => {
  const rest = { tags: ['prod', 'prod'], cidrs: ['127.0.0.0/8'], expiresAt: '2099-01-31T00:00:00Z' };
  const { apiKey, key } = await create({ ...rest, permissions: ['prompts', 'secrets', 'prompts'] });
  expect(apiKey).toMatch(/^cue_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(await statuses(apiKey)).toEqual([200, 200]);
  expect(key).toEqual({
    ...{
      keyId: apiKey.slice(4, 12),
      kind: 'key',
      name: 'web',
      permissions: ['prompts', 'secrets'],
      tags: ['prod'],
    },
    ...{ prompts: [], cidrs: rest.cidrs, expiresAt: rest.expiresAt, status: 'active' },
    ...{ createdAt: expect.any(String), createdBy: 'admin@example.com' },
  });
  await instance.settled();
  const { keys } = await ask(instance, 'keys-list', { query: { q: key.keyId } });
  expect(keys).toEqual([expect.objectContaining({ ...key, calls: { prompts: 1, secrets: 1 } })]);
});

test('a key with tags sees only the secrets that carry all of them', async () => {
  const { apiKey } = await create({ tags: [SHOP, 'prod'] });
  expect((await instance.post(SECRETS, {}, apiKey)).json.res).toEqual({ [SHOP]: secretValue('first') });
  expect((await instance.post(SECRETS, { key: OTHER }, apiKey)).code).toBe('secret_not_found');
});

test('the key itself is not stored, and the audit log records who created it with which permissions', async () => {
  const { apiKey, key } = await create({ name: 'audited', permissions: ['prompts'], tags: ['t'] });
  const items = JSON.stringify(await allItems(instance.table));
  expect(items).toContain(key.keyId);
  const kept = items + instance.logs.join('') + JSON.stringify(await ask(instance, 'keys-list'));
  expect(kept).not.toContain(apiKey.slice(13, 45));
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === key.keyId);
  expect(changes).toEqual([
    expect.objectContaining({
      ...{ action: 'api-key.create', name: 'audited' },
      details: { permissions: ['prompts'], tags: ['t'], prompts: [], cidrs: [] },
    }),
  ]);
});

test.each([
  ['a blank name', { name: '  ' }, '"name"'],
  ['a name above 128 bytes', { name: 'é'.repeat(65) }, '"name"'],
  ['no permission', { permissions: [] }, '"permissions"'],
  ['a permission that there is not', { permissions: ['admin'] }, '"permissions[0]"'],
  ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, '"tags"'],
  ['an empty name of a prompt', { prompts: [''] }, '"prompts[0]"'],
  ['51 names of prompts', { prompts: Array(51).fill('x') }, '"prompts"'],
  ['an address without a range', { cidrs: ['localhost'] }, 'localhost'],
  ['a range beyond 32 bits', { cidrs: ['127.0.0.0/8', '10.0.0.0/33'] }, '10.0.0.0/33'],
  ['51 ranges', { cidrs: Array.from({ length: 51 }, (_, i) => `10.0.${i}.0/24`) }, '"cidrs"'],
  ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, '"expiresAt"'],
  ['an expiry that is no time', { expiresAt: '2099-02-31T00:00:00Z' }, '"expiresAt"'],
  ['an expiry in no zone', { expiresAt: '2099-01-31T00:00:00' }, '"expiresAt"'],
])('%s is rejected by name', async (_, wrong, what) => {
  expect(await refused(instance, 'keys-create', 'invalid_request', { body: wanted(wrong) })).toContain(what);
});
