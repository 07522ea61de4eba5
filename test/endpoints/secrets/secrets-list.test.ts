import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { expectNothingLogged, SECRET_MARKER, secretValue, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

type Query = Record<string, string | number | boolean>;

let jobId: string;
withOwnInstance();
beforeAll(async () => {
  await storeSecret(instance, { key: 'database_url', tags: ['db', 'prod'], at: daysAgo(40) });
  await storeSecret(instance, { key: 'API_TOKEN', tags: ['prod'], at: daysAgo(50) });
  await storeSecret(instance, { key: 'Mail_Password', tags: [], at: daysAgo(10) });
  await storeSecret(instance, { key: 'OLD', tags: ['legacy'], at: daysAgo(60) });
  await readSecrets(instance, { tags: ['prod'] }, 'web');
  ({ keyId: jobId } = await readSecrets(instance, { key: 'API_TOKEN' }, 'job'));
});

const keysOf = ({ secrets }: { secrets: { key: string }[] }): string[] => secrets.map(({ key }) => key);
const keys = async (query: Query) => keysOf(await ask(instance, 'secrets-list', { query }));

test('each secret has its tags, changes and last release; the reply also lists all tags', async () => {
  const reply = await send(instance, 'secrets-list', { groups: ['viewer'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res).toMatchObject({ total: 4, tags: ['db', 'legacy', 'prod'] });
  const [token, url, mail] = reply.json.res.secrets;
  expect(token).toEqual({
    environment: 'default',
    forgottenIn: [],
    secretId: expect.any(String),
    key: 'API_TOKEN',
    tags: ['prod'],
    number: 1,
    createdAt: expect.any(String),
    createdBy: 'operator@example.com',
    changedAt: expect.any(String),
    changedBy: 'operator@example.com',
    lastRead: { at: expect.any(String), apiKeyId: jobId, apiKeyName: 'job' },
    readers: 2,
  });
  expect(url.lastRead).toMatchObject({ apiKeyName: 'web' });
  expect(mail.lastRead).toBeNull();
});

test.each<[Query, string[]]>([
  [{}, ['API_TOKEN', 'database_url', 'Mail_Password', 'OLD']],
  [{ order: 'desc' }, ['OLD', 'Mail_Password', 'database_url', 'API_TOKEN']],
  [{ sort: 'changed' }, ['OLD', 'API_TOKEN', 'database_url', 'Mail_Password']],
  [{ sort: 'read', order: 'desc' }, ['API_TOKEN', 'database_url', 'OLD', 'Mail_Password']],
  [{ q: 'DATABASE' }, ['database_url']],
  [{ q: 'word' }, ['Mail_Password']],
  [{ q: 'gac' }, ['OLD']],
  [{ q: SECRET_MARKER }, []],
  [{ tag: 'prod' }, ['API_TOKEN', 'database_url']],
  [{ tag: 'pro' }, []],
  [{ read: true }, ['API_TOKEN', 'database_url']],
  [{ read: false }, ['OLD']],
  [{ tag: 'prod', q: 'url', read: true }, ['database_url']],
  [{ tag: 'prod', read: false }, []],
])('%j filters and sorts', async (query, expected) => {
  expect(await keys(query)).toEqual(expected);
});

test('secrets that need a new value by a day are found, those without a date are not', async () => {
  const [{ secretId }] = (await ask(instance, 'secrets-list', { query: { q: 'OLD' } })).secrets;
  await ask(instance, 'secrets-update', { params: { secretId }, body: { rotateBy: '2030-06-15' } });
  expect(await keys({ rotateBy: '2030-06-15' })).toEqual(['OLD']);
  expect(await keys({ rotateBy: '2030-06-14' })).toEqual([]);
});

test('a search of too many bytes and a cursor of another list are rejected, naming the parameter', async () => {
  for (const query of [{ cursor: 'junk' }, { tag: 'x'.repeat(129) }, { q: 'x'.repeat(257) }]) {
    const [name = ''] = Object.keys(query);
    expect(await refused(instance, 'secrets-list', 'invalid_request', { query })).toContain(`"${name}"`);
  }
});

describe('of 1,000 more secrets', () => {
  beforeAll(async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ key: `MANY_${i}`, value: secretValue(i) }));
    await importSecrets(instance.table, changeAt(), many, ['many']);
  });

  test('a page of 200 has the total, and the pages together are the whole list', async () => {
    const found = await allPages(
      (continued) => ask(instance, 'secrets-list', { query: { tag: 'many', limit: 200, ...continued } }),
      (page) => {
        expect([page.secrets.length, page.total]).toEqual([200, 1_000]);
        return keysOf(page);
      },
    );
    expect(found).toEqual(Array.from({ length: 1_000 }, (_, i) => `MANY_${i}`).sort());
  });

  test('a search finds one of them', async () => {
    expect(await keys({ q: 'many_777' })).toEqual(['MANY_777']);
    expectNothingLogged(instance);
  });
});

const deleted = async (key: string, days: number): Promise<string> => {
  const { secretId } = await storeSecret(instance, { key, tags: ['t'] });
  await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
  return secretId;
};

test('without deleted secrets the list is empty', async () => {
  expect(await ask(instance, 'secrets-list-deleted')).toEqual({ secrets: [] });
});

test('deleted secrets are listed newest first, with who deleted them and until when they can be restored', async () => {
  await deleted('WEEK', 6.9);
  const secretId = await deleted('NEW', 1);
  await deleted('TOO_LONG', 7.1);
  await restoreSecret(instance.table, changeAt(), await deleted('RESTORED', 2));
  const reply = await send(instance, 'secrets-list-deleted', { groups: ['viewer'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { secrets } = reply.json.res;
  expect(secrets.map(({ key }: { key: string }) => key)).toEqual(['NEW', 'WEEK']);
  expect(secrets[0]).toMatchObject({
    secretId,
    tags: ['t'],
    number: 1,
    deletedBy: 'operator@example.com',
    restorableUntil: new Date(Date.parse(secrets[0].deletedAt) + 7 * 86_400_000).toISOString(),
  });
});

test('a key can be listed more than once, each time for another secret', async () => {
  const ids = [await deleted('TWICE', 4), await deleted('TWICE', 3)];
  const { secrets } = await ask(instance, 'secrets-list-deleted');
  const twice = secrets.filter(({ key }: { key: string }) => key === 'TWICE');
  expect(twice.map(({ secretId }: { secretId: string }) => secretId)).toEqual(ids.toReversed());
  const [secretId = ''] = ids;
  expect((await ask(instance, 'secrets-list-deleted', { query: { secretId } })).secrets).toEqual([twice[1]]);
});

test('the pages of deleted secrets together are the whole list', async () => {
  const whole = (await ask(instance, 'secrets-list-deleted')).secrets;
  expect(whole).toHaveLength(4);
  const first = await ask(instance, 'secrets-list-deleted', { query: { limit: 2 } });
  const second = await ask(instance, 'secrets-list-deleted', { query: { limit: 2, cursor: first.cursor } });
  expect([first.secrets.length, second.cursor]).toEqual([2, undefined]);
  expect([...first.secrets, ...second.secrets]).toEqual(whole);
  const junk = { query: { cursor: 'junk' } };
  expect(await refused(instance, 'secrets-list-deleted', 'invalid_request', junk)).toContain('"cursor"');
  expectNothingLogged(instance);
});
