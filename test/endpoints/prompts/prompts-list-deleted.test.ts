import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

test('deleted prompts are listed newest first, with who deleted them and until when they can be restored', async () => {
  const ids: string[] = [];
  for (const hoursAgo of [3, 1, 2, 200]) {
    const { promptId } = await aPrompt(instance);
    await deletePrompt(instance.table, changeAt(new Date(Date.now() - hoursAgo * 3_600_000)), promptId);
    ids.push(promptId);
  }
  const live = await aPrompt(instance);
  const { prompts } = await ask(instance, 'prompts-list-deleted');
  expect(prompts.map(({ promptId }: { promptId: string }) => promptId)).toEqual([ids[1], ids[2], ids[0]]);
  const [{ deletedAt, restorableUntil, ...rest }] = prompts;
  expect(rest).toMatchObject({ latest: '1.1.0', versions: 2, deletedBy: 'operator@example.com' });
  expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(7 * 86_400_000);
  const first = await ask(instance, 'prompts-list-deleted', { query: { limit: 2 } });
  const second = await ask(instance, 'prompts-list-deleted', { query: { limit: 2, cursor: first.cursor } });
  expect([...first.prompts, ...second.prompts]).toEqual(prompts);
  const byId = async (promptId = '') =>
    (await ask(instance, 'prompts-list-deleted', { query: { promptId } })).prompts;
  expect(await byId(ids[2])).toEqual([prompts[1]]);
  expect([await byId(ids[3]), await byId(live.promptId), await byId('prm_none')]).toEqual([[], [], []]);
});
