import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask, column, refused, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { expectNothingLogged, SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

let jobId: string;
withOwnInstance();
beforeAll(async () => {
  await storeSecret(instance, { key: 'database_url', tags: ['db', 'prod'], at: daysAgo(40) });
  await storeSecret(instance, { key: 'API_TOKEN', tags: ['prod'], at: daysAgo(50) });
  await storeSecret(instance, { key: 'Mail_Password', tags: [], at: daysAgo(10) });
  const old = await storeSecret(instance, { key: 'OLD', tags: ['legacy'], at: daysAgo(60) });
  await ask('secrets-update', { secretId: old.secretId, rotateBy: '2030-06-15' });
  await readSecrets(instance, { tags: ['prod'] }, 'web');
  ({ keyId: jobId } = await readSecrets(instance, { key: 'API_TOKEN' }, 'job'));
});

const keys = async (query: object) => column((await ask('secrets-list', query)).secrets, 'key');

test('each secret has its tags, changes and last release; the reply also lists all tags', async () => {
  const reply = await send('secrets-list', {}, 'viewer');
  expect(reply.text).not.toContain(SECRET_MARKER);
  const { total, tags, secrets } = reply.json.res;
  expect([total, tags]).toEqual([4, ['db', 'legacy', 'prod']]);
  const [token, url, mail] = secrets;
  const at = expect.any(String);
  const by = 'operator@example.com';
  expect(token).toEqual({
    environment: 'default',
    forgottenIn: [],
    secretId: expect.any(String),
    key: 'API_TOKEN',
    tags: ['prod'],
    number: 1,
    createdAt: at,
    createdBy: by,
    changedAt: at,
    changedBy: by,
    lastRead: { at, apiKeyId: jobId, apiKeyName: 'job' },
    readers: 2,
  });
  expect(url.lastRead).toMatchObject({ apiKeyName: 'web' });
  expect(mail.lastRead).toBeNull();
});

test.each<[object, string[]]>([
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
  [{ rotateBy: '2030-06-15' }, ['OLD']],
  [{ rotateBy: '2030-06-14' }, []],
])('%j filters and sorts', async (query, expected) => {
  expect(await keys(query)).toEqual(expected);
});

test('a search of too many bytes and a cursor of another list are rejected, naming the parameter', async () => {
  for (const [operation, name, wrong] of [
    ['secrets-list', 'cursor', 'junk'],
    ['secrets-list-deleted', 'cursor', 'junk'],
    ['secrets-list', 'tag', 'x'.repeat(129)],
    ['secrets-list', 'q', 'x'.repeat(257)],
  ] as const)
    expect(await refused(operation, 'invalid_request', { [name]: wrong })).toContain(`"${name}"`);
});

const deleted = async (key: string, days: number): Promise<string> => {
  const { secretId } = await storeSecret(instance, { key, tags: ['t'] });
  await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
  return secretId;
};

test('deleted secrets are listed newest first, with who deleted them and until when they can be restored', async () => {
  expect(await ask('secrets-list-deleted')).toEqual({ secrets: [] });
  const ids: string[] = [];
  for (const [key, days] of [
    ['WEEK', 6.9],
    ['TWICE', 4],
    ['TWICE', 3],
    ['NEW', 1],
  ] as const)
    ids.unshift(await deleted(key, days));
  await deleted('TOO_LONG', 7.1);
  await ask('secrets-restore', { secretId: await deleted('RESTORED', 2) });
  const { text, json } = await send('secrets-list-deleted', {}, 'viewer');
  expect(text).not.toContain(SECRET_MARKER);
  const { secrets } = json.res;
  expect(column(secrets, 'secretId')).toEqual(ids);
  const [newest, , earlier] = secrets;
  const restorableUntil = new Date(Date.parse(newest.deletedAt) + 7 * 86_400_000).toISOString();
  const entry = { key: 'NEW', tags: ['t'], number: 1, deletedBy: 'operator@example.com', restorableUntil };
  expect(newest).toMatchObject(entry);
  expect((await ask('secrets-list-deleted', { secretId: ids[2] })).secrets).toEqual([earlier]);
  const { cursor } = await ask('secrets-list-deleted', { limit: 2 });
  expect(await ask('secrets-list-deleted', { limit: 2, cursor })).toEqual({ secrets: secrets.slice(2) });
  expectNothingLogged(instance);
});
