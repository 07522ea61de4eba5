import { daysAfter } from '../../lambdas/core/days.ts';
import { auditChange } from '../../lambdas/store/audit.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { ask } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { changeAt } from '../support/rows/table.ts';
import { aPrompt, readSecrets } from '../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

withOwnInstance();

test('changes by operators and reads of secrets are merged, newest first', async () => {
  const groups = ['editor'];
  const body = { key: 'AUDITED', value: 'MARKED-VALUE', tags: ['audit'] };
  const { secret } = await ask(instance, 'secrets-create', { body, groups });
  const { keyId } = await readSecrets(instance, { key: 'AUDITED' }, 'reader');
  const { entries } = await ask(instance, 'audit-list', { query: { subject: 'AUDITED' } });
  expect(entries).toMatchObject([
    {
      kind: 'read',
      actor: 'reader',
      actorId: keyId,
      action: 'secret.read',
      subject: 'vault',
      name: 'AUDITED',
      details: {
        filter: { key: 'AUDITED' },
        count: 1,
        restriction: [],
        sourceIp: expect.stringMatching(LOOPBACK),
      },
    },
    { kind: 'change', actor: 'editor@example.com', action: 'secret.create', subject: secret.secretId },
  ]);
  expect(JSON.stringify(entries)).not.toContain('MARKED');
  const byActor = await ask(instance, 'audit-list', {
    query: { actor: 'editor@', action: 'secret', kind: 'change' },
  });
  expect(byActor.entries).toEqual([entries[1]]);
  const byKey = await ask(instance, 'audit-list', { query: { actor: keyId } });
  expect(byKey.entries).toEqual([entries[0]]);
});

test('a search by secret finds reads of all secrets and by tag, if they included it', async () => {
  const body = (key: string) => ({ key, value: 'MARKED-VALUE', tags: ['of-job', key.toLowerCase()] });
  const { secret } = await ask(instance, 'secrets-create', { body: body('RELEASED') });
  await ask(instance, 'secrets-create', { body: body('OTHER') });
  const { keyId: everything } = await readSecrets(instance, {}, 'all');
  const { keyId: byTag } = await readSecrets(instance, { tags: ['of-job'] }, 'job');
  const { keyId: other } = await readSecrets(instance, { tags: ['other'] }, 'job');
  const { keyId: byName } = await readSecrets(instance, { key: 'RELEASED' }, 'one');
  const readers = async (subject: string): Promise<string[]> => {
    const { entries } = await ask(instance, 'audit-list', { query: { subject, kind: 'read' } });
    return entries.map(({ actorId }: { actorId: string }) => actorId);
  };
  expect(await readers('released')).toEqual([byName, byTag, everything]);
  expect(await readers(secret.secretId)).toEqual([byName, byTag, everything]);
  expect(await readers('OTHER')).toEqual([other, byTag, everything]);
  expect(await readers('nothing')).toEqual([]);
  await ask(instance, 'secrets-delete', {
    params: { secretId: secret.secretId },
  });
  expect(await readers('RELEASED')).toEqual([byName, byTag, everything]);
});

test('drafts can be left out, and an entry is found again by its time', async () => {
  const { promptId } = await aPrompt(instance);
  await ask(instance, 'drafts-save', { params: { promptId }, body: { prompt: 'x' } });
  const actions = async (query: Record<string, boolean | string>): Promise<string[]> => {
    const { entries } = await ask(instance, 'audit-list', { query: { subject: promptId, ...query } });
    return entries.map(({ action }: { action: string }) => action);
  };
  expect(await actions({})).toContain('draft.save');
  expect(await actions({ drafts: false })).not.toContain('draft.save');
  const [entry] = (await ask(instance, 'audit-list', { query: { action: 'draft.save' } })).entries;
  const { entries } = await ask(instance, 'audit-list', { query: { from: entry.at, to: entry.at } });
  expect(entries).toContainEqual(entry);
});

test('the pages together are the whole list', async () => {
  const { entries } = await ask(instance, 'audit-list', { query: { limit: 200 } });
  const first = await ask(instance, 'audit-list', { query: { limit: 1 } });
  const second = await ask(instance, 'audit-list', { query: { limit: 200, cursor: first.cursor } });
  expect([...first.entries, ...second.entries]).toEqual(entries);
});

test('by default it lists the last thirty days, at most the days that are kept', async () => {
  const now = new Date();
  for (const days of [420, 390, 45, 20, 1]) {
    const entry = { action: 'label.set', subject: 'prm_dated', name: 'Dated', details: { days } };
    await transact(instance.table, [auditChange(instance.table, changeAt(daysAfter(now, -days)), entry)]);
  }
  const daysListed = async (query: Record<string, string>) => {
    const { entries } = await ask(instance, 'audit-list', { query: { subject: 'prm_dated', ...query } });
    return entries.map(({ details }: { details: { days: number } }) => details.days);
  };
  expect(await daysListed({})).toEqual([1, 20]);
  expect(await daysListed({ from: '2001-01-01', to: '2999-12-31', kind: 'change' })).toEqual([
    1, 20, 45, 390,
  ]);
});

test('a test event is in the audit log, with the administrator who sent it', async () => {
  const { at } = await ask(instance, 'notifications-test');
  const query = { action: 'notification.test', from: at };
  const { entries } = await ask(instance, 'audit-list', { query });
  const sent = entries.find((entry: { at: string }) => entry.at === at);
  expect(sent).toMatchObject({ actor: 'admin@example.com', subject: 'notifications', details: {} });
});
