import { ask, refused } from '../../support/admin.ts';
import { emailOf } from '../../support/operators.ts';
import { changesOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const moving = (name: string, from: string | null, to: string | null) => ({
  moves: [{ name, label: 'beta', from, to }],
});

test('an operator moves labels as a set, which the audit log names', async () => {
  const { name } = await aPrompt(instance);
  const { set } = await ask(instance, 'labels-move', {
    body: moving(name, null, '1.0.0'),
    groups: ['editor'],
  });
  expect(await changesOf(instance, set)).toMatchObject([{ actor: emailOf(['editor']), name: 'beta' }]);
  const again = { body: moving(name, null, '1.1.0') };
  expect(await refused(instance, 'labels-move', 'changed_meanwhile', again)).toContain('points to 1.0.0');
});

test('a dry run says what breaks applications', async () => {
  const { name } = await newPrompt(instance.table, { prompt: 'Hello' });
  const key = await instance.newKey({ permissions: ['publish'] });
  const next = { name, content: { prompt: 'Hello {{user}}' }, base: '1.0.0' };
  expect((await instance.post('/api/prompt/publish', next, key.apiKey)).status).toBe(200);
  await ask(instance, 'labels-move', { body: moving(name, null, '1.0.0') });
  const body = { ...moving(name, '1.0.0', '2.0.0'), dryRun: true };
  expect(await ask(instance, 'labels-move', { body })).toEqual({
    moved: true,
    breaking: [{ name, label: 'beta', changes: [{ kind: 'variable-added', name: 'user' }] }],
  });
});

test('a dry run finds what breaks through a fragment', async () => {
  const fragment = await newPrompt(instance.table, { prompt: 'Hi' });
  const key = await instance.newKey({ permissions: ['publish'] });
  const publish = (name: string, base: string | null, content: object) =>
    instance.post('/api/prompt/publish', { name, base, content }, key.apiKey);
  const including = (version: string) => ({
    prompt: `{{> "${fragment.name}"}}`,
    includes: [`${fragment.name}@${version}`],
  });
  const name = `${fragment.name}-including`;
  await publish(fragment.name, '1.0.0', { prompt: 'Hi {{user}}' });
  await publish(name, null, including('1.0.0'));
  await publish(name, '1.0.0', including('2.0.0'));
  await ask(instance, 'labels-move', { body: moving(name, null, '1.0.0') });
  const body = { ...moving(name, '1.0.0', '2.0.0'), dryRun: true };
  const { breaking } = await ask(instance, 'labels-move', { body });
  expect(breaking).toMatchObject([{ changes: [{ kind: 'variable-added', name: 'user' }] }]);
});
