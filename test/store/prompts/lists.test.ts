import { PARTITIONS } from '../../../contract/table.ts';
import { monthOf } from '../../../lambdas/core/days.ts';
import { entriesBefore } from '../../../lambdas/store/audit-log.ts';
import { deleteDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable(beforeEach, afterEach);

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
  const ofPrompts = ['prompt-created', 'prompt-deleted', 'prompt-restored', 'published', 'version-deleted'];
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([...ofPrompts, 'label-set', 'label-removed']),
  );
  expect(events).toHaveLength(7);
  const items = await Array.fromAsync(entriesBefore(table, PARTITIONS.auditChange + monthOf(change.at), '~'));
  const entries = items.filter(({ pk }) => String(pk).startsWith(PARTITIONS.auditChange));
  const draftAndLabel = ['label.set', 'label.remove', 'draft.save', 'draft.delete'];
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set([
      ...['prompt.create', 'prompt.delete', 'prompt.restore', 'version.publish', 'version.delete'],
      ...draftAndLabel,
    ]),
  );
  expect(entries).toHaveLength(9);
  expect(entries.every((entry) => entry.subject === promptId && entry.name === name)).toBe(true);
  expect(entries.find(({ action }) => action === 'label.remove')).toMatchObject({
    actor: change.actor.name,
    requestId: change.requestId,
    details: '{"label":"live","from":"1.0.0"}',
  });
  expect(JSON.stringify(entries)).not.toContain('secret plan');
});
