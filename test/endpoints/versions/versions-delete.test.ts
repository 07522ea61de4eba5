import { removeLabel, setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const ofNew = async () => ({ promptId: (await aPrompt(instance)).promptId, version: '1.0.0' });

test('an unused version is deleted without confirmation, and the audit log records by whom', async () => {
  const params = { ...(await ofNew()), version: '1.1.0' };
  const { prompt } = await ask(instance, 'versions-delete', { params, groups: ['editor'] });
  expect(prompt).toMatchObject({ latest: '1.0.0', versions: 1, highest: '1.1.0' });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({
      action: 'version.delete',
      subject: params.promptId,
      details: { version: '1.1.0' },
    }),
  );
  await refused(instance, 'versions-delete', 'version_not_found', { params });
});

test('a recently fetched version needs confirmation; fetches of other versions do not count', async () => {
  const params = await ofNew();
  const { keyId } = await fetchPrompt(instance, params.promptId, { version: '1.0.0', times: 2 });
  const sentence = await refused(instance, 'versions-delete', 'in_use', { params });
  expect(sentence).toMatch(/Version 1\.0\.0 of ".*" was fetched 2 times .* 2 times with the key "web"/);
  expect(sentence).toContain(keyId);
  const other = await ofNew();
  await fetchPrompt(instance, other.promptId, { version: '1.1.0' });
  await ask(instance, 'versions-delete', { params: other });
  await ask(instance, 'versions-delete', { params, query: { confirm: true } });
});

test('errors that forbid the deletion come before the confirmation, which does not override them', async () => {
  const params = await ofNew();
  await fetchPrompt(instance, params.promptId, { version: '1.0.0' });
  for (const label of ['production', 'canary'])
    await setLabel(instance.table, changeAt(), params.promptId, label, '1.0.0');
  for (const confirm of [false, true]) {
    const sentence = await refused(instance, 'versions-delete', 'version_labelled', {
      params,
      query: { confirm },
    });
    expect(sentence).toContain('"canary", "production"');
  }
  await ask(instance, 'versions-delete', { params: { ...params, version: '1.1.0' } });
  for (const label of ['production', 'canary'])
    await removeLabel(instance.table, changeAt(), params.promptId, label);
  await refused(instance, 'versions-delete', 'last_version', { params, query: { confirm: true } });
});

test('a deletion based on an outdated state is rejected', async () => {
  const params = await ofNew();
  await refused(instance, 'versions-delete', 'changed_meanwhile', { params, query: { rev: 1 } });
});
