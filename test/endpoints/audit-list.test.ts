import { daysAfter } from '../../lambdas/core/days.ts';
import { auditChange } from '../../lambdas/store/audit.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { ask, column } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { operatorIdOf } from '../support/operators.ts';
import { changeAt } from '../support/rows/table.ts';
import { aPrompt, readSecrets } from '../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

withOwnInstance();

const listed = async (query: object) => (await ask('audit-list', query)).entries;

test('changes by operators and reads of secrets are merged, newest first, also page by page; each entry records who, what and where, and a read its API key', async () => {
  const body = { key: 'AUDITED', value: 'MARKED-VALUE', tags: ['audit'] };
  const { secret } = await ask('secrets-create', body, 'editor');
  const filter = { key: 'AUDITED', tags: ['audit'] };
  const { apiKey, keyId } = await instance.newKey({ name: 'reader', tags: ['audit'] });
  await instance.post('/api/vault/get-secrets', filter, apiKey);
  const entries = await listed({ subject: 'AUDITED' });
  const sourceIp = expect.stringMatching(LOOPBACK);
  expect(entries).toMatchObject([
    {
      kind: 'read',
      actor: 'reader',
      actorId: keyId,
      action: 'secret.read',
      subject: 'vault',
      name: 'AUDITED',
      details: {
        filter,
        revision: expect.any(Number),
        count: 1,
        restriction: ['audit'],
        sourceIp,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
    {},
  ]);
  const at = secret.createdAt;
  expect(entries[1]).toEqual({
    entryId: expect.stringMatching(`^${at}#[\\w-]+#\\w{6}$`),
    at,
    kind: 'change',
    actor: 'editor@example.com',
    actorId: await operatorIdOf(instance, ['editor']),
    action: 'secret.create',
    subject: secret.secretId,
    name: 'AUDITED',
    details: { tags: ['audit'] },
    requestId: expect.any(String),
  });
  expect(JSON.stringify(entries)).not.toContain('MARKED');
  expect(await listed({ actor: 'editor@', action: 'secret', kind: 'change' })).toEqual([entries[1]]);
  expect(await listed({ actor: keyId })).toEqual([entries[0]]);
  const { cursor } = await ask('audit-list', { subject: 'AUDITED', limit: 1 });
  expect(await listed({ subject: 'AUDITED', limit: 1, cursor })).toEqual([entries[1]]);
});

test('a search by secret finds reads of all secrets and by tag, if they included it', async () => {
  const make = async (key: string) =>
    (await ask('secrets-create', { key, value: 'x', tags: ['of-job', key.toLowerCase()] })).secret.secretId;
  const secretId = await make('RELEASED');
  await make('OTHER');
  const reads = [{}, { tags: ['of-job'] }, { tags: ['other'] }, { key: 'RELEASED' }];
  const ids: string[] = [];
  for (const body of reads) ids.push((await readSecrets(body)).keyId);
  const [everything, byTag, other, byName] = ids;
  const readers = async (subject: string) => column(await listed({ subject, kind: 'read' }), 'actorId');
  expect(await readers('released')).toEqual([byName, byTag, everything]);
  expect(await readers(secretId)).toEqual([byName, byTag, everything]);
  expect(await readers('OTHER')).toEqual([other, byTag, everything]);
  expect(await readers('nothing')).toEqual([]);
  await ask('secrets-delete', { secretId });
  expect(await readers('RELEASED')).toEqual([byName, byTag, everything]);
});

test('drafts can be left out, a publish that moved a label is found as both, and an entry is found again by its time', async () => {
  const { promptId } = await aPrompt();
  await ask('versions-publish', { promptId, prompt: 'x', bump: 'minor', label: 'production' });
  await ask('drafts-save', { promptId, prompt: 'x' });
  const actions = async (query: object) => column(await listed({ subject: promptId, ...query }), 'action');
  expect(await actions({})).toContain('draft.save');
  expect(await actions({ drafts: false })).not.toContain('draft.save');
  expect(await actions({ action: 'label.set' })).toEqual(['version.publish']);
  expect(await actions({ action: 'version.publish' })).toHaveLength(2);
  expect(await actions({ action: 'label.remove' })).toEqual([]);
  const [entry] = await listed({ action: 'draft.save' });
  expect(await listed({ from: entry.at, to: entry.at })).toContainEqual(entry);
});

test('by default it lists the last thirty days, at most the days that are kept', async () => {
  const now = new Date();
  for (const days of [420, 390, 45, 20, 1]) {
    const entry = { action: 'label.set', subject: 'prm_dated', name: 'Dated', details: { days } };
    await transact(instance.table, [auditChange(instance.table, changeAt(daysAfter(now, -days)), entry)]);
  }
  const daysListed = async (query: object) =>
    column(column(await listed({ subject: 'prm_dated', ...query }), 'details'), 'days');
  expect(await daysListed({})).toEqual([1, 20]);
  const all = { from: '2001-01-01', to: '2999-12-31', kind: 'change' };
  expect(await daysListed(all)).toEqual([1, 20, 45, 390]);
});

test('a test event is in the audit log, with the administrator who sent it', async () => {
  const { at } = await ask('notifications-test');
  const sent = { at, actor: 'admin@example.com', subject: 'notifications', details: {} };
  expect(await listed({ action: 'notification.test', from: at })).toContainEqual(
    expect.objectContaining(sent),
  );
});
