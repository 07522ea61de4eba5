import { PARTITIONS } from '../../../contract/table.ts';
import { monthOf } from '../../../lambdas/core/days.ts';
import { entriesBefore } from '../../../lambdas/store/audit-log.ts';
import { deleteDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt, getPrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { listVersions } from '../../../lambdas/store/prompts/version-lists.ts';
import { allPages } from '../../support/pages.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable(beforeEach, afterEach);

test('versions are listed highest first, across pages, without deleted ones and without templates', async () => {
  const { promptId } = await newPrompt(table);
  for (const version of ['1.10.0', '1.2.0', '10.0.0', '9.0.0'])
    await publishVersion(table, changeAt(), promptId, {
      ...content('some text'),
      note: 'n',
      tags: ['t'],
      version,
    });
  await deleteVersion(table, changeAt(), promptId, '9.0.0');
  const { head } = await getPrompt(table, promptId);
  const listed = await allPages(
    ({ cursor }) => listVersions(table, head, 2, cursor),
    ({ items }) => items,
  );
  expect(listed.map(({ version }) => version)).toEqual(['10.0.0', '1.10.0', '1.2.0', '1.0.0']);
  expect(listed[0]).toEqual({
    contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    version: '10.0.0',
    tags: ['t'],
    note: 'n',
    templateBytes: 9,
    publishedAt: expect.any(String),
    publishedBy: 'operator@example.com',
  });
});

test('every change writes one event and one audit entry, drafts only an audit entry', async () => {
  const { promptId, name } = await newPrompt(table);
  const change = changeAt(new Date(Date.now() + 1_000));
  await publishVersion(table, change, promptId, { ...content('x'), bump: 'minor' });
  await setLabel(table, change, promptId, 'live', '1.0.0');
  await removeLabel(table, change, promptId, 'live');
  await deleteVersion(table, change, promptId, '1.1.0');
  await saveDraft(table, change, promptId, content('secret plan'));
  await deleteDraft(table, change, promptId);
  await deletePrompt(table, change, promptId);
  await restorePrompt(table, change, promptId);

  const events = await eventsSince(table, promptId, '');
  expect(events.map(({ type }) => type).toSorted()).toEqual(
    [
      'prompt-created',
      'published',
      'label-set',
      'label-removed',
      'version-deleted',
      'prompt-deleted',
      'prompt-restored',
    ].toSorted(),
  );
  const items = await Array.fromAsync(entriesBefore(table, PARTITIONS.auditChange + monthOf(change.at), '~'));
  const entries = items.filter(({ pk }) => String(pk).startsWith(PARTITIONS.auditChange));
  expect(entries.map(({ action }) => action).toSorted()).toEqual(
    [
      'prompt.create',
      'version.publish',
      'label.set',
      'label.remove',
      'version.delete',
      'draft.save',
      'draft.delete',
      'prompt.delete',
      'prompt.restore',
    ].toSorted(),
  );
  expect(entries.every((entry) => entry.subject === promptId && entry.name === name)).toBe(true);
  expect(entries.find(({ action }) => action === 'label.remove')).toMatchObject({
    actor: change.actor.name,
    requestId: change.requestId,
    details: '{"label":"live","from":"1.0.0"}',
  });
  expect(JSON.stringify(entries)).not.toContain('secret plan');
});
