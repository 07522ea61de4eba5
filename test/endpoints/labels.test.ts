import { readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { ask, refused, send } from '../support/admin.ts';
import { emailOf } from '../support/operators.ts';
import { changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const groups = ['editor'];
const actor = emailOf(groups);

const onNew = async (label = 'production') => ({
  params: { promptId: (await aPrompt(instance)).promptId, label },
});

test('a label is created and moved, and the audit log records by whom, from and to', async () => {
  const { params } = await onNew();
  const set = (body: object) => ask(instance, 'labels-set', { params, groups, body });
  await set({ version: '1.0.0', expected: 'none' });
  const { prompt } = await set({ version: '1.1.0', expected: '1.0.0' });
  expect(prompt.labels).toEqual([{ label: 'production', version: '1.1.0' }]);
  const [change] = await changesOf(instance, params.promptId);
  const details = { label: 'production', from: '1.0.0', to: '1.1.0' };
  expect(change).toMatchObject({ actor, action: 'label.set', details });
});

test('a move based on another target or an outdated state is rejected', async () => {
  const sent = await onNew();
  const body = { version: '1.0.0' };
  const refusal = (rest: object) =>
    refused(instance, 'labels-set', 'changed_meanwhile', { ...sent, body: { ...body, ...rest } });
  expect(await refusal({ expected: '1.1.0' })).toContain('not set');
  await refusal({ rev: 1 });
  await ask(instance, 'labels-set', { ...sent, body: { ...body, rev: 2 } });
  expect(await refusal({ expected: 'none' })).toContain('1.0.0');
});

test.each(['canary-2', 'v1.0', 'große_Käfer', '本番'])('%s is a valid label', async (label) => {
  const sent = { ...(await onNew(label)), body: { version: '1.0.0' } };
  expect((await ask(instance, 'labels-set', sent)).prompt.labels).toEqual([{ label, version: '1.0.0' }]);
});

test.each(['latest', 'Latest', 'a/b', 'a b', '.hidden', '-x', 'a?b', '%', 'x'.repeat(129)])(
  'a label may not be called %s',
  async (label) => {
    const sent = { ...(await onNew(label)), body: { version: '1.0.0' } };
    expect((await send(instance, 'labels-set', sent)).status).toBeGreaterThanOrEqual(400);
  },
);

test('a label cannot point to a version that does not exist', async () => {
  const sent = { ...(await onNew()), body: { version: '9.0.0' } };
  await refused(instance, 'labels-set', 'version_not_found', sent);
  const wrong = { ...sent, body: { version: 'latest' } };
  expect(await refused(instance, 'labels-set', 'invalid_request', wrong)).toContain('"version"');
});

test('a label is removed, its version stays, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const label = 'große_Käfer';
  await setLabel(instance.table, changeAt(), promptId, label, '1.0.0');
  const sent = { params: { promptId, label }, groups };
  const { prompt } = await ask(instance, 'labels-remove', sent);
  expect(prompt).toMatchObject({ labels: [], versions: 2 });
  const [change] = await changesOf(instance, promptId);
  expect(change).toMatchObject({ actor, action: 'label.remove', details: { label, from: '1.0.0' } });
  await refused(instance, 'labels-remove', 'label_not_found', sent);
});

const moving = (name: string, from: string | null, to: string | null) => ({
  moves: [{ name, label: 'beta', from, to }],
});

test('an operator moves labels as a set, which the audit log names', async () => {
  const { name } = await aPrompt(instance);
  const { set } = await ask(instance, 'labels-move', { body: moving(name, null, '1.0.0'), groups });
  expect(await changesOf(instance, set)).toMatchObject([{ actor, name: 'beta' }]);
  const again = { body: moving(name, null, '1.1.0') };
  expect(await refused(instance, 'labels-move', 'changed_meanwhile', again)).toContain('points to 1.0.0');
});

test('a dry run of a set checks it and moves nothing', async () => {
  const { promptId, name } = await aPrompt(instance);
  const dryRun = { body: { ...moving(name, null, '1.0.0'), dryRun: true } };
  expect(await ask(instance, 'labels-move', dryRun)).toEqual({ moved: true });
  expect((await ask(instance, 'prompts-get', { params: { promptId } })).prompt.labels).toEqual([]);
});

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

test('without protection an editor moves the label again, and the audit log records once who set and who removed it', async () => {
  const { promptId } = await aPrompt(instance);
  const label = uniqueName('label');
  for (let i = 0; i < 2; i++) await ask(instance, 'labels-protect', { params: { label } });
  const { labels } = await ask(instance, 'labels-unprotect', { params: { label } });
  expect(JSON.stringify(labels)).not.toContain(label);
  const move = { params: { promptId, label }, body: { version: '1.0.0' }, groups };
  await ask(instance, 'labels-set', move);
  expect(await changesOf(instance, label)).toMatchObject(
    ['unprotect', 'protect'].map((done) => ({
      action: `label.${done}`,
      actor: 'admin@example.com',
      name: label,
    })),
  );
  await refused(instance, 'labels-unprotect', 'label_not_found', { params: { label } });
});
