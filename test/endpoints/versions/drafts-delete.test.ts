import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const withDraft = async () => {
  const { promptId } = await aPrompt(instance);
  const { rev } = await saveDraft(instance.table, changeAt(), promptId, content('draft'));
  return { params: { promptId }, rev };
};

test('a draft is discarded, and the audit log records by whom', async () => {
  const { params } = await withDraft();
  expect(await ask(instance, 'drafts-delete', { params, groups: ['editor'] })).toEqual(params);
  expect(await readDraft(instance.table, params.promptId)).toBeUndefined();
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'draft.delete', subject: params.promptId }),
  );
  await refused(instance, 'drafts-delete', 'draft_not_found', { params });
});

test('with a rev, only the draft that the operator saw is discarded', async () => {
  const { params, rev } = await withDraft();
  await refused(instance, 'drafts-delete', 'changed_meanwhile', { params, query: { rev: rev + 1 } });
  await ask(instance, 'drafts-delete', { params, query: { rev } });
});
