import { LIMITS } from '../../../contract/limits.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { getPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { createPromptReader } from '../../../lambdas/store/prompts/reader.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, openTestTable } from '../../support/rows/table.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await openTestTable());
});
afterAll(() => stop());

const twoVersions = async () => {
  const { promptId, name, rev } = await newPrompt(table);
  await publishVersion(table, changeAt(), promptId, { ...content('two'), version: '2.0.0' });
  const set = (label: string, version: string, options = {}) =>
    setLabel(table, changeAt(), promptId, label, version, options);
  return { promptId, name, rev, set };
};

test('a label resolves to its version and moves immediately, even for warm readers', async () => {
  const { name, set } = await twoVersions();
  const reader = createPromptReader(table);
  await set('production', '1.0.0');
  expect(await reader.find({ name, label: 'production' })).toMatchObject({ version: '1.0.0' });
  await set('production', '2.0.0');
  expect(await reader.find({ name, label: 'production' })).toMatchObject({ version: '2.0.0', prompt: 'two' });
});

test('a label that is not set or was removed is not found', async () => {
  const { promptId, name, set } = await twoVersions();
  const reader = createPromptReader(table);
  await set('production', '1.0.0');
  await removeLabel(table, changeAt(), promptId, 'production');
  for (const label of ['production', 'constructor', '__proto__'])
    await expect(reader.find({ name, label })).rejects.toMatchObject(failure('label_not_found', label));
  await expect(removeLabel(table, changeAt(), promptId, 'production')).rejects.toMatchObject(
    failure('label_not_found', 'production'),
  );
});

test('any text can be a label', async () => {
  const { name, set } = await twoVersions();
  for (const label of ['__proto__', 'constructor', 'prod/été 😀', '#'])
    expect((await set(label, '1.0.0')).labels).toContainEqual({ label, version: '1.0.0' });
  const found = await createPromptReader(table).find({ name, label: '__proto__' });
  expect(found).toMatchObject({ version: '1.0.0' });
});

test('a label cannot point to a version that does not exist', async () => {
  const { set } = await twoVersions();
  await expect(set('production', '3.0.0')).rejects.toMatchObject(failure('version_not_found', '3.0.0'));
});

test('a labelled version cannot be deleted until its labels are removed', async () => {
  const { promptId, set } = await twoVersions();
  await set('production', '2.0.0');
  await set('canary', '2.0.0');
  const remove = () => deleteVersion(table, changeAt(), promptId, '2.0.0');
  await expect(remove()).rejects.toMatchObject(failure('version_labelled', '"canary", "production"'));
  await set('production', '1.0.0');
  await expect(remove()).rejects.toMatchObject(failure('version_labelled', '"canary"'));
  await removeLabel(table, changeAt(), promptId, 'canary');
  expect(await remove()).toMatchObject({ latest: '1.0.0', versions: 1 });
});

test('a label that points elsewhere than expected is not changed', async () => {
  const { promptId, set } = await twoVersions();
  await set('production', '1.0.0', { expected: null });
  await expect(set('production', '2.0.0', { expected: null })).rejects.toMatchObject(
    failure('changed_meanwhile', '1.0.0'),
  );
  await expect(set('other', '2.0.0', { expected: '1.0.0' })).rejects.toMatchObject(
    failure('changed_meanwhile', 'not set'),
  );
  await set('production', '2.0.0', { expected: '1.0.0' });
  expect((await getPrompt(table, promptId)).head.labels).toEqual([{ label: 'production', version: '2.0.0' }]);
});

test('a label change based on an outdated head is rejected', async () => {
  const { promptId, rev, set } = await twoVersions();
  await expect(set('production', '1.0.0', { rev })).rejects.toMatchObject(failure('changed_meanwhile'));
  const head = await set('production', '1.0.0', { rev: rev + 1 });
  await expect(
    removeLabel(table, changeAt(), promptId, 'production', { rev: rev + 1 }),
  ).rejects.toMatchObject(failure('changed_meanwhile'));
  const after = await removeLabel(table, changeAt(), promptId, 'production', { rev: head.rev });
  expect(after.labels).toEqual([]);
});

test('labels are limited, and moving one does not count as a new one', async () => {
  const { set } = await twoVersions();
  for (let i = 0; i < LIMITS.labels; i++) await set(`label ${i}`, '1.0.0');
  await expect(set('one more', '1.0.0')).rejects.toMatchObject(failure('invalid_request', 'at most 50'));
  expect((await set('label 7', '2.0.0')).labels).toHaveLength(LIMITS.labels);
});

test('the events record where labels moved from and to, newest first', async () => {
  const { promptId } = await twoVersions();
  const at = Date.now() + 60_000;
  const change = (seconds: number) => changeAt(new Date(at + seconds * 1000));
  await setLabel(table, change(1), promptId, 'production', '1.0.0');
  await setLabel(table, change(2), promptId, 'production', '2.0.0');
  await removeLabel(table, change(3), promptId, 'production');
  const actor = 'operator@example.com';
  const time = (seconds: number) => change(seconds).at.toISOString();
  const items = await eventsSince(table, promptId, time(1));
  expect(items).toEqual([
    { type: 'label-removed', label: 'production', from: '2.0.0', at: time(3), actor },
    { type: 'label-set', label: 'production', from: '1.0.0', to: '2.0.0', at: time(2), actor },
    { type: 'label-set', label: 'production', from: null, to: '1.0.0', at: time(1), actor },
  ]);
});
