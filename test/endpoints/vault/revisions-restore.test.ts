import type { AwsCall } from '../../../local/aws/services.ts';
import { ask, refused } from '../../support/admin.ts';
import { instance, withOpenInstance } from '../../support/instance.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { released, storeSecret } from '../../support/rows/secrets.ts';

// An instance of its own, because restoring affects the secrets of every other test.
/** What another operator does just before a restored revision is written. */
let meanwhile: (() => Promise<unknown>) | undefined;
const before = async ({ operationId, target }: AwsCall) => {
  if (operationId !== 'revisions-restore' || !target.endsWith('.TransactWriteItems')) return;
  const other = meanwhile;
  meanwhile = undefined;
  await other?.();
};
withOpenInstance({ hooks: { before } });

test('an administrator sees what a revision would change, and restores it', async () => {
  const { secretId, key } = await storeSecret(instance, { value: 'first' });
  const { revision } = (await ask(instance, 'vault-get')).vault;
  await ask(instance, 'secrets-update', { params: { secretId }, body: { value: 'second' } });
  await ask(instance, 'secrets-create', { body: { key: 'LATER', value: 'x' } });
  await instance.newKey({ name: 'reader', permissions: ['secrets'] });
  const params = { revision: String(revision) };
  const preview = await ask(instance, 'revisions-restore', { params, body: { dryRun: true } });
  const keys = { returning: [], removed: ['LATER'], changed: [key], switchedOff: [] };
  expect(preview).toEqual({ revision: null, ...keys, readers: expect.arrayContaining(['reader']) });
  expect(await released(instance, key)).toBe('second');
  const restored = await ask(instance, 'revisions-restore', { params, body: {} });
  expect(restored.revision).toBe(revision + 3);
  expect([await released(instance, key), await released(instance, 'LATER')]).toEqual(['first', undefined]);
  const [entry] = await changesBy(instance, ['admin']);
  expect(entry).toMatchObject({ action: 'vault.restore-revision', details: { revision } });
});

test('a revision whose credential is recorded as switched off says so in the preview and in the audit log', async () => {
  const { secretId, key } = await storeSecret(instance, { value: 'first' });
  const { revision } = (await ask(instance, 'vault-get')).vault;
  for (const body of [{ value: 'second' }, { switchedOffUpTo: 1 }])
    await ask(instance, 'secrets-update', { params: { secretId }, body });
  const params = { revision: String(revision) };
  const preview = await ask(instance, 'revisions-restore', { params, body: { dryRun: true } });
  expect(preview).toMatchObject({ changed: [key], switchedOff: [key] });
  await ask(instance, 'revisions-restore', { params, body: {} });
  const [entry] = await changesBy(instance, ['admin']);
  expect(entry?.details).toEqual({ revision, switchedOff: [key] });
});

test('a revision that gives a restricted key more secrets needs confirmation, and an unknown one does not exist', async () => {
  const { secretId } = await storeSecret(instance, { tags: ['restored'] });
  const { revision } = (await ask(instance, 'vault-get')).vault;
  await ask(instance, 'secrets-update', { params: { secretId }, body: { tags: [] } });
  await instance.newKey({ tags: ['restored'], name: 'reporting' });
  const sent = { params: { revision: String(revision) }, body: {} };
  expect(await refused(instance, 'revisions-restore', 'would_widen_access', sent)).toContain('"reporting"');
  await ask(instance, 'revisions-restore', { ...sent, query: { confirm: true } });
  await refused(instance, 'revisions-restore', 'value_not_found', { params: { revision: '999' }, body: {} });
});

test('only the expected revision is replaced, even if another one is made while it is restored', async () => {
  const { secretId, key } = await storeSecret(instance, { value: 'first' });
  const { revision } = (await ask(instance, 'vault-get')).vault;
  await ask(instance, 'secrets-update', { params: { secretId }, body: { value: 'second' } });
  const sent = { params: { revision: String(revision) }, body: { current: revision + 1 } };
  meanwhile = () => ask(instance, 'secrets-create', { body: { key: 'MEANWHILE', value: 'x' } });
  const current = `revision ${revision + 2} is current`;
  expect(await refused(instance, 'revisions-restore', 'changed_meanwhile', sent)).toContain(current);
  expect(meanwhile).toBeUndefined();
  expect([await released(instance, key), await released(instance, 'MEANWHILE')]).toEqual(['second', 'x']);
  const undone = await ask(instance, 'revisions-restore', { ...sent, body: { current: revision + 2 } });
  expect(undone.revision).toBe(revision + 3);
  expect([await released(instance, key), await released(instance, 'MEANWHILE')]).toEqual([
    'first',
    undefined,
  ]);
});
