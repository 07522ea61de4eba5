import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const body = { prompt: 'Good day {{user}}', bump: 'patch' };

test('a bump publishes the next version, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const version = '1.1.1';
  const reply = await ask(instance, 'versions-publish', { params: { promptId }, body, groups: ['editor'] });
  expect(reply).toMatchObject({ version, prompt: { latest: version, versions: 3, excerpt: body.prompt } });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'version.publish', subject: promptId, details: { version } }),
  );
});

test('a label moves to the version in the same step, and the audit log records from where', async () => {
  const { promptId } = await aPrompt(instance);
  const publish = (label: string) => ({
    params: { promptId },
    body: { prompt: 'x', bump: 'minor', label },
    groups: ['editor'],
  });
  const labels = async () => (await ask(instance, 'versions-publish', publish('production'))).prompt.labels;
  expect(await labels()).toEqual([{ label: 'production', version: '1.2.0' }]);
  expect(await labels()).toEqual([{ label: 'production', version: '1.3.0' }]);
  expect((await changesBy(instance, ['editor']))[0]).toMatchObject({
    action: 'version.publish',
    details: { version: '1.3.0', label: 'production', from: '1.2.0' },
  });
  const since = await eventsSince(instance.table, promptId, '');
  expect(since).toContainEqual(
    expect.objectContaining({ type: 'label-set', label: 'production', from: '1.2.0', to: '1.3.0' }),
  );
  expect(await refused(instance, 'versions-publish', 'invalid_request', publish('latest'))).toContain(
    'latest',
  );
});

test('a version number can be chosen, even below the latest, but never twice', async () => {
  const { promptId } = await aPrompt(instance);
  const publish = { params: { promptId }, body: { prompt: 'x', tags: ['t'], version: '0.9.0' } };
  const { prompt } = await ask(instance, 'versions-publish', publish);
  expect(prompt).toMatchObject({ latest: '1.1.0', versions: 3, tags: [], excerpt: 'Hi {{user}}' });
  expect(await refused(instance, 'versions-publish', 'version_taken', publish)).toContain('0.9.0');
});

test('of two concurrent publications, one wins and the other gets a conflict', async () => {
  const { promptId } = await aPrompt(instance);
  const sent = { params: { promptId }, body: { ...body, rev: 2 } };
  const replies = await Promise.all([1, 2].map(() => send(instance, 'versions-publish', sent)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.code).toBe('changed_meanwhile');
});

test('publishing removes the draft, and only if it is unchanged', async () => {
  const { promptId } = await aPrompt(instance);
  const { rev } = await saveDraft(instance.table, changeAt(), promptId, content('draft'));
  const params = { params: { promptId } };
  const stale = { ...params, body: { ...body, draftRev: rev - 1 } };
  await refused(instance, 'versions-publish', 'changed_meanwhile', stale);
  expect(await readDraft(instance.table, promptId)).toBeDefined();
  await ask(instance, 'versions-publish', { ...params, body: { ...body, draftRev: rev } });
  expect(await readDraft(instance.table, promptId)).toBeUndefined();
});

test('neither a version nor a bump, both, or another bump is refused', async () => {
  const params = { promptId: (await aPrompt(instance)).promptId };
  for (const wrong of [{}, { version: '3.0.0', bump: 'major' }, { bump: 'huge' }])
    await refused(instance, 'versions-publish', 'invalid_request', {
      params,
      body: { prompt: 'x', ...wrong },
    });
});

test('a version of another type needs confirmation, and the prompt says what its latest version is', async () => {
  const { promptId } = await aPrompt(instance);
  const chat = { type: 'chat', messages: [{ role: 'user', content: 'Hello {{user}}' }], bump: 'major' };
  const sent = (body: object) => ({ params: { promptId }, body, groups: ['editor'] });
  const sentence = await refused(instance, 'versions-publish', 'type_changed', sent(chat));
  expect(sentence).toContain('is a text prompt, and this one is a chat prompt');
  const { prompt, contentHash } = await ask(
    instance,
    'versions-publish',
    sent({ ...chat, changeType: true }),
  );
  expect(prompt).toMatchObject({ type: 'chat', contentHash, excerpt: 'user: Hello {{user}}' });
  await ask(instance, 'versions-publish', sent(chat));
  await refused(instance, 'versions-publish', 'type_changed', sent(body));
});
