import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const onNew = async (label = 'production') => ({
  params: { promptId: (await aPrompt(instance)).promptId, label },
});

test('a label is created and moved, and the audit log records by whom, from and to', async () => {
  const sent = { ...(await onNew()), groups: ['editor'] };
  await ask(instance, 'labels-set', { ...sent, body: { version: '1.0.0', expected: 'none' } });
  const { prompt } = await ask(instance, 'labels-set', {
    ...sent,
    body: { version: '1.1.0', expected: '1.0.0' },
  });
  expect(prompt.labels).toEqual([{ label: 'production', version: '1.1.0' }]);
  expect((await changesBy(instance, ['editor']))[0]).toMatchObject({
    action: 'label.set',
    subject: sent.params.promptId,
    details: { label: 'production', from: '1.0.0', to: '1.1.0' },
  });
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
