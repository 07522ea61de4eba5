import { PARTITIONS } from '../../../contract/table.ts';
import { entriesBefore } from '../../../lambdas/store/audit-log.ts';
import { deleteDraft, readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { actorNamed, changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const save = (promptId: string, prompt: string, rev?: number) =>
  saveDraft(table, changeAt(), promptId, { ...content(prompt), rev });

test('a repeated save whose reply was lost succeeds, but not for another operator', async () => {
  const { promptId } = await newPrompt(table);
  const first = await save(promptId, 'first');
  expect(await save(promptId, 'first')).toEqual(first);
  const input = { ...content('second'), baseVersion: '1.0.0', metaProperties: { a: [1] }, rev: first.rev };
  const second = await saveDraft(table, changeAt(), promptId, input);
  expect(await saveDraft(table, changeAt(), promptId, input)).toEqual(second);
  const colleague = { ...changeAt(), actor: actorNamed('colleague@example.com') };
  await expectRefused(saveDraft(table, colleague, promptId, input), 'changed_meanwhile');
});

test('the revision of a removed draft does not match the next one', async () => {
  const { promptId } = await newPrompt(table);
  const removed = await save(promptId, 'removed');
  await deleteDraft(table, changeAt(), promptId);
  await expectRefused(save(promptId, 'ghost', removed.rev), 'changed_meanwhile');
  const now = new Date(removed.savedAt).getTime() + 1;
  const next = await saveDraft(table, changeAt(new Date(now)), promptId, content('next'));
  await expectRefused(save(promptId, 'ghost', removed.rev), 'changed_meanwhile');
  expect(await readDraft(table, promptId)).toEqual(next);
});

test('a draft is not saved in a prompt that is being deleted', async () => {
  const { promptId } = await newPrompt(table);
  const racing = intercepted(table, async ({ name }, next) => {
    if (name === 'TransactWriteCommand') await deletePrompt(table, changeAt(), promptId);
    return next();
  });
  await expectRefused(saveDraft(racing, changeAt(), promptId, content('x')), 'prompt_not_found');
});

test('an editing session has one audit entry; another operator or half an hour starts the next', async () => {
  const { promptId } = await newPrompt(table);
  const start = new Date('2026-03-10T12:00:00Z');
  const after = (minutes: number, actor = 'ada@example.com') => ({
    ...changeAt(new Date(start.getTime() + minutes * 60_000)),
    actor: actorNamed(actor),
  });
  const saves = [
    after(0),
    after(1),
    after(29),
    after(58),
    after(89),
    after(90, 'bob@example.com'),
    after(91),
  ];
  let rev: number | undefined;
  for (const [i, change] of saves.entries()) {
    ({ rev } = await saveDraft(table, change, promptId, { ...content(`text ${i}`), rev }));
  }
  const audited = await Array.fromAsync(entriesBefore(table, `${PARTITIONS.auditChange}2026-03`, '~'));
  const entries = audited.filter(({ subject, action }) => subject === promptId && action === 'draft.save');
  expect(JSON.stringify(entries)).not.toContain('text 0');
  expect(entries.map(({ at, actor }) => [at, actor]).reverse()).toEqual(
    [after(0), after(89), after(90, 'bob@example.com'), after(91)].map(({ at, actor }) => [
      at.toISOString(),
      actor.name,
    ]),
  );
});
