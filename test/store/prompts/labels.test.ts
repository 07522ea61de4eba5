import { LIMITS } from '../../../contract/limits.ts';
import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { content, failure, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const twoVersions = async () => {
  const { promptId, name, rev } = await newPrompt(table);
  await publishVersion(table, changeAt(), promptId, { ...content('two'), version: '2.0.0' });
  const set = (label: string, version: string, options = {}) =>
    setLabel(table, changeAt(), promptId, label, version, options);
  return { promptId, name, rev, set };
};

test('a label that is not set or was removed is not found', async () => {
  const { promptId, name, set } = await twoVersions();
  const find = promptFinder(table);
  await set('production', '1.0.0');
  await removeLabel(table, changeAt(), promptId, 'production');
  for (const label of ['production', 'constructor', '__proto__'])
    await expect(find({ name, label })).rejects.toMatchObject(failure('label_not_found', label));
  await expect(removeLabel(table, changeAt(), promptId, 'production')).rejects.toMatchObject(
    failure('label_not_found', 'production'),
  );
});

test('any text can be a label', async () => {
  const { name, set } = await twoVersions();
  for (const label of ['__proto__', 'constructor', 'prod/été 😀', '#'])
    expect((await set(label, '1.0.0')).labels).toContainEqual({ label, version: '1.0.0' });
  const found = await promptFinder(table)({ name, label: '__proto__' });
  expect(found).toMatchObject({ version: '1.0.0' });
});

test('labels are limited, and moving one does not count as a new one', async () => {
  const { set } = await twoVersions();
  for (let i = 0; i < LIMITS.labels; i++) await set(`label ${i}`, '1.0.0');
  await expect(set('one more', '1.0.0')).rejects.toMatchObject(failure('invalid_request', 'at most 50'));
  expect((await set('label 7', '2.0.0')).labels).toHaveLength(LIMITS.labels);
});
