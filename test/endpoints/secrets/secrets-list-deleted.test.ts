import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { expectNothingLogged, SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const deleted = async (key: string, days: number): Promise<string> => {
  const { secretId } = await storeSecret(instance, { key, tags: ['t'] });
  await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
  return secretId;
};

test('without deleted secrets the list is empty', async () => {
  await storeSecret(instance);
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
    ...{ secretId, tags: ['t'], number: 1, deletedBy: 'operator@example.com' },
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

test('the pages together are the whole list', async () => {
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
