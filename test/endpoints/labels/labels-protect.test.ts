import { readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const groups = ['editor'];

test('every endpoint with which an editor could move a protected label answers 403 and names the label', async () => {
  const { promptId } = await aPrompt(instance);
  const label = uniqueName('label');
  await setLabel(instance.table, changeAt(), promptId, label, '1.0.0');
  const { labels } = await ask(instance, 'labels-protect', { params: { label } });
  expect(labels).toContainEqual({ label, protectedAt: expect.any(String), protectedBy: expect.any(String) });
  const ofPrompt = { params: { promptId }, groups };
  const ofLabel = { params: { promptId, label }, groups };
  const attempts = [
    ['labels-set', { ...ofLabel, body: { version: '1.1.0' } }],
    ['labels-remove', ofLabel],
    ['versions-publish', { ...ofPrompt, body: { prompt: 'x', bump: 'minor', label } }],
    ['prompts-create', { body: { name: uniqueName('prompt'), prompt: 'x', label }, groups }],
    ['prompts-delete', ofPrompt],
  ] as const;
  const before = await readPromptHead(instance.table, promptId);
  for (const [operation, sent] of attempts) {
    const reply = await send(instance, operation, sent);
    expect([operation, reply.status, reply.code]).toEqual([operation, 403, 'label_protected']);
    expect(reply.json.err).toContain(`"${label}" is protected`);
  }
  expect(await readPromptHead(instance.table, promptId)).toEqual(before);
  await ask(instance, 'prompts-delete', { params: { promptId } });
  expect(await refused(instance, 'prompts-restore', 'label_protected', ofPrompt)).toContain(label);
  const { name = '' } = before ?? {};
  const over = { body: { name, prompt: 'x', overDeleted: true }, groups };
  expect(await refused(instance, 'prompts-create', 'label_protected', over)).toContain(label);
  await ask(instance, 'prompts-restore', { params: { promptId } });
  await ask(instance, 'labels-set', { params: { promptId, label }, body: { version: '1.1.0' } });
});

test('the name that means no label cannot be protected', async () => {
  await refused(instance, 'labels-protect', 'invalid_request', { params: { label: 'latest' } });
});

test('the audit log records who protected a label', async () => {
  const label = uniqueName('label');
  await ask(instance, 'labels-protect', { params: { label } });
  await ask(instance, 'labels-protect', { params: { label } });
  const entries = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === label);
  expect(entries).toMatchObject([{ action: 'label.protect', name: label }]);
});
