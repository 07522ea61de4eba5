import { changesBefore } from '../../../lambdas/store/audit-log.ts';
import { deleteDraft, readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt, getPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, openTestTable } from '../../support/rows/table.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await openTestTable());
});
afterAll(() => stop());

const save = (promptId: string, prompt: string, rev?: number) =>
  saveDraft(table, changeAt(), promptId, { ...content(prompt), rev });

test('a draft is returned as saved, also with its prompt', async () => {
  const { promptId } = await newPrompt(table);
  const change = changeAt();
  const metaProperties = JSON.parse('{"__proto__":1,"n":1e300}') as Record<string, unknown>;
  const input = { ...content('{{x}}'), tags: ['a'], note: 'why', metaProperties, baseVersion: '1.0.0' };
  const saved = await saveDraft(table, change, promptId, input);
  expect(saved).toMatchObject({
    savedAt: change.at.toISOString(),
    savedBy: change.actor,
    baseVersion: '1.0.0',
  });
  const read = await readDraft(table, promptId);
  expect(read).toEqual(saved);
  expect(JSON.stringify(read?.metaProperties)).toBe('{"__proto__":1,"n":1e+300}');
  expect((await getPrompt(table, promptId)).draft).toEqual(saved);
});

test('a draft only replaces the one that the operator saw', async () => {
  const { promptId } = await newPrompt(table);
  const first = await save(promptId, 'first');
  await expect(save(promptId, 'unseen')).rejects.toMatchObject(failure('changed_meanwhile'));
  const second = await save(promptId, 'second', first.rev);
  await expect(save(promptId, 'late', first.rev)).rejects.toMatchObject(failure('changed_meanwhile'));
  expect(await readDraft(table, promptId)).toEqual(second);
});

test('a repeated save whose reply was lost succeeds, but not for another operator', async () => {
  const { promptId } = await newPrompt(table);
  const first = await save(promptId, 'first');
  expect(await save(promptId, 'first')).toEqual(first);
  const input = { ...content('second'), baseVersion: '1.0.0', metaProperties: { a: [1] }, rev: first.rev };
  const second = await saveDraft(table, changeAt(), promptId, input);
  expect(await saveDraft(table, changeAt(), promptId, input)).toEqual(second);
  const colleague = { ...changeAt(), actor: 'colleague@example.com' };
  await expect(saveDraft(table, colleague, promptId, input)).rejects.toMatchObject(
    failure('changed_meanwhile'),
  );
});

test('the revision of a removed draft does not match the next one', async () => {
  const { promptId } = await newPrompt(table);
  const removed = await save(promptId, 'removed');
  await deleteDraft(table, changeAt(), promptId);
  await expect(save(promptId, 'ghost', removed.rev)).rejects.toMatchObject(failure('changed_meanwhile'));
  const now = new Date(removed.savedAt).getTime() + 1;
  const next = await saveDraft(table, changeAt(new Date(now)), promptId, content('next'));
  await expect(save(promptId, 'ghost', removed.rev)).rejects.toMatchObject(failure('changed_meanwhile'));
  expect(await readDraft(table, promptId)).toEqual(next);
});

test('a draft is removed once, and only the one that the operator saw', async () => {
  const { promptId } = await newPrompt(table);
  const { rev } = await save(promptId, 'draft');
  const remove = (options = {}) => deleteDraft(table, changeAt(), promptId, options);
  await expect(remove({ rev: rev - 1 })).rejects.toMatchObject(failure('changed_meanwhile'));
  await remove({ rev });
  await expect(remove()).rejects.toMatchObject(failure('draft_not_found'));
  expect(await readDraft(table, promptId)).toBeUndefined();
  expect(await getPrompt(table, promptId)).not.toHaveProperty('draft');
});

test('a prompt that does not exist has no draft', async () => {
  await expect(save('prm_unknown', 'x')).rejects.toMatchObject(failure('prompt_not_found'));
  expect(await readDraft(table, 'prm_unknown')).toBeUndefined();
});

test('a draft is not saved in a prompt that is being deleted', async () => {
  const { promptId } = await newPrompt(table);
  const racing = intercepted(table, async ({ name }, next) => {
    if (name === 'TransactWriteCommand') await deletePrompt(table, changeAt(), promptId);
    return next();
  });
  await expect(saveDraft(racing, changeAt(), promptId, content('x'))).rejects.toMatchObject(
    failure('prompt_not_found'),
  );
});

test('publishing removes its draft, and fails without changes if the draft was saved again', async () => {
  const { promptId } = await newPrompt(table);
  const seen = await save(promptId, 'seen');
  const newer = await save(promptId, 'newer', seen.rev);
  const publish = (draftRev: number) =>
    publishVersion(table, changeAt(), promptId, { ...content('x'), bump: 'minor', draftRev });
  await expect(publish(seen.rev)).rejects.toMatchObject(failure('changed_meanwhile', 'draft'));
  expect((await getPrompt(table, promptId)).head.versions).toBe(1);
  await publish(newer.rev);
  expect(await readDraft(table, promptId)).toBeUndefined();
});

test('an editing session has one audit entry; another operator or half an hour starts the next', async () => {
  const { promptId } = await newPrompt(table);
  const start = new Date('2026-03-10T12:00:00Z');
  const after = (minutes: number, actor = 'ada@example.com') => ({
    ...changeAt(new Date(start.getTime() + minutes * 60_000)),
    actor,
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
  const audited = await Array.fromAsync(changesBefore(table, '2026-03', '~'));
  const entries = audited.filter(({ subject, action }) => subject === promptId && action === 'draft.save');
  expect(entries.map(({ at, actor }) => [at, actor]).reverse()).toEqual(
    [after(0), after(89), after(90, 'bob@example.com'), after(91)].map(({ at, actor }) => [
      at.toISOString(),
      actor,
    ]),
  );
});
