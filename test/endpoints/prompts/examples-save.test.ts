import { LIMITS } from '../../../contract/limits.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const values = JSON.parse('{"user": "Ada", "n": 1e300, "list": [1, null], "__proto__": {"x": true}}');

const examplesOf = async (promptId: string) =>
  (await ask(instance, 'prompts-get', { params: { promptId }, groups: ['viewer'] })).examples;

test('editors save example values, viewers read them, and the audit log has their number alone', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  expect(await examplesOf(promptId)).toBeNull();
  const { examples } = await ask(instance, 'examples-save', { params, body: { values }, groups: ['editor'] });
  expect(JSON.stringify(examples.values)).toBe(JSON.stringify(values));
  expect(examples.savedBy).toBe('editor@example.com');
  expect(await examplesOf(promptId)).toEqual(examples);
  const entries = await changesBy(instance, ['editor']);
  const entry = entries.find(({ subject }) => subject === promptId);
  expect(entry).toMatchObject({ action: 'examples.save', details: { variables: 4 } });
  expect(JSON.stringify(await fetchPrompt(instance, promptId))).not.toContain('Ada');
});

test('a new set replaces the earlier one, and an empty one removes it', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  await ask(instance, 'examples-save', { params, body: { values } });
  await ask(instance, 'examples-save', { params, body: { values: { place: 'Rome' } } });
  expect((await examplesOf(promptId)).values).toEqual({ place: 'Rome' });
  expect((await ask(instance, 'examples-save', { params, body: { values: {} } })).examples).toBeNull();
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples come back with a restored prompt, and not with a new prompt of the same name', async () => {
  const { promptId, name } = await aPrompt(instance);
  const params = { promptId };
  await ask(instance, 'examples-save', { params, body: { values } });
  await deletePrompt(instance.table, changeAt(), promptId);
  await refused(instance, 'examples-save', 'prompt_not_found', { params, body: { values } });
  await ask(instance, 'prompts-restore', { params });
  expect((await examplesOf(promptId)).values).toMatchObject({ user: 'Ada' });
  await deletePrompt(instance.table, changeAt(), promptId);
  await createPrompt(instance.table, changeAt(), { ...content('new'), name, overDeleted: true });
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples that are too large or are not an object are refused', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const large = { user: 'x'.repeat(LIMITS.examplesBytes) };
  expect(
    await refused(instance, 'examples-save', 'invalid_request', { params, body: { values: large } }),
  ).toContain(`${LIMITS.examplesBytes} bytes`);
  await refused(instance, 'examples-save', 'invalid_request', { params, body: { values: [] } });
});
