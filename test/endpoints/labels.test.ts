import type { ErrorCode } from '../../contract/http/errors.ts';
import { readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { ask, refused, send } from '../support/admin.ts';
import { changesOf } from '../support/rows/audit.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const actor = 'editor@example.com';

const onNew = async (label = 'production') => ({ promptId: (await aPrompt(instance)).promptId, label });

test('a label is created, moved and removed, and its history and the audit log record by whom, from and to', async () => {
  const of = await onNew('große_Käfer');
  const { promptId, label } = of;
  await ask('labels-set', { promptId, label: 'staging', version: '1.0.0' });
  await ask('labels-set', { ...of, version: '1.0.0', expected: 'none' }, 'editor');
  const { prompt } = await ask('labels-set', { ...of, version: '1.1.0', expected: '1.0.0' }, 'editor');
  expect(prompt.labels).toContainEqual({ label, version: '1.1.0' });
  const { labels } = (await ask('labels-remove', of, 'editor')).prompt;
  expect(labels).toEqual([{ label: 'staging', version: '1.0.0' }]);
  const { events } = await ask('events-list', of);
  const known = { at: expect.any(String), actor, label };
  expect(events).toEqual([
    { ...known, type: 'label-removed', from: '1.1.0' },
    { ...known, type: 'label-set', from: '1.0.0', to: '1.1.0' },
    { ...known, type: 'label-set', from: null, to: '1.0.0' },
  ]);
  expect((await ask('events-list', { promptId })).events).toHaveLength(6);
  expect((await changesOf(instance, promptId)).slice(0, 2)).toMatchObject([
    { actor, action: 'label.remove', details: { label, from: '1.1.0' } },
    { actor, action: 'label.set', details: { label, from: '1.0.0', to: '1.1.0' } },
  ]);
  await refused('labels-remove', 'label_not_found', of);
});

test('a move based on another target or an outdated state, or to a version that does not exist, is rejected', async () => {
  const of = { ...(await onNew()), version: '1.0.0' };
  const refusal = (rest: object, code: ErrorCode = 'changed_meanwhile') =>
    refused('labels-set', code, { ...of, ...rest });
  expect(await refusal({ expected: '1.1.0' })).toContain('not set');
  await refusal({ rev: 1 });
  await ask('labels-set', { ...of, rev: 2 });
  expect(await refusal({ expected: 'none' })).toContain('1.0.0');
  await refusal({ version: '9.0.0' }, 'version_not_found');
  expect(await refusal({ version: 'latest' }, 'invalid_request')).toContain('"version"');
});

test('a label is one word of any script, and never called latest', async () => {
  const of = { ...(await onNew()), version: '1.0.0' };
  for (const label of ['canary-2', 'v1.0', '本番'])
    expect((await ask('labels-set', { ...of, label })).prompt.labels).toContainEqual({
      label,
      version: '1.0.0',
    });
  for (const label of ['latest', 'Latest', 'a/b', 'a b', '.hidden', '-x', 'a?b', '%', 'x'.repeat(129)])
    expect([400, 404]).toContain((await send('labels-set', { ...of, label })).status);
  await refused('labels-protect', 'invalid_request', { label: 'latest' });
});

test('an operator moves labels as a set, which the audit log names; a dry run checks it and moves nothing', async () => {
  const { promptId, name } = await aPrompt(instance);
  const move = (to: string) => ({ moves: [{ name, label: 'beta', from: null, to }] });
  expect(await ask('labels-move', { ...move('1.0.0'), dryRun: true })).toEqual({ moved: true });
  expect((await ask('prompts-get', { promptId })).prompt.labels).toEqual([]);
  const { set } = await ask('labels-move', move('1.0.0'), 'editor');
  expect(await changesOf(instance, set)).toMatchObject([{ actor, name: 'beta' }]);
  expect(await refused('labels-move', 'changed_meanwhile', move('1.1.0'))).toContain('points to 1.0.0');
});

test('every endpoint with which an editor could move a protected label answers 403 and names the label', async () => {
  const of = await onNew(uniqueName('label'));
  const { promptId, label } = of;
  await ask('labels-set', { ...of, version: '1.0.0' });
  const { labels } = await ask('labels-protect', { label });
  expect(labels).toContainEqual({ label, protectedAt: expect.any(String), protectedBy: expect.any(String) });
  const before = await readPromptHead(instance.table, promptId);
  const isRefused = async (operation: Parameters<typeof refused>[0], fields: object) =>
    expect(await refused(operation, 'label_protected', fields, 'editor')).toContain(
      `"${label}" is protected`,
    );
  await isRefused('labels-set', { ...of, version: '1.1.0' });
  await isRefused('labels-remove', of);
  await isRefused('versions-publish', { ...of, prompt: 'x', bump: 'minor' });
  await isRefused('prompts-create', { name: uniqueName('prompt'), prompt: 'x', label });
  await isRefused('prompts-delete', { promptId });
  expect(await readPromptHead(instance.table, promptId)).toEqual(before);
  await ask('prompts-delete', { promptId });
  await isRefused('prompts-restore', { promptId });
  await isRefused('prompts-create', { name: before?.name, prompt: 'x', overDeleted: true });
  await ask('prompts-restore', { promptId });
  await ask('labels-set', { ...of, version: '1.1.0' });
});

test('without protection an editor moves the label again, and the audit log records once who set and who removed it', async () => {
  const of = await onNew(uniqueName('label'));
  const { label } = of;
  for (let i = 0; i < 2; i++) await ask('labels-protect', { label });
  expect(JSON.stringify(await ask('labels-unprotect', { label }))).not.toContain(label);
  await ask('labels-set', { ...of, version: '1.0.0' }, 'editor');
  const entry = { actor: 'admin@example.com', name: label };
  expect(await changesOf(instance, label)).toMatchObject([
    { ...entry, action: 'label.unprotect' },
    { ...entry, action: 'label.protect' },
  ]);
  await refused('labels-unprotect', 'label_not_found', { label });
});
