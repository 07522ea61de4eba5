import { ask, refused } from '../../support/admin.ts';
import { usageOf } from '../../support/rows/usage.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('a version is returned with its text, without an access entry', async () => {
  const { promptId } = await aPrompt(instance);
  const { version } = await ask(instance, 'versions-get', { params: { promptId, version: '1.0.0' } });
  expect(version).toMatchObject({
    ...{ promptId, version: '1.0.0', prompt: 'Hello {{user}}', tags: [], metaProperties: {}, note: '' },
    publishedBy: 'operator@example.com',
  });
  expect(await usageOf(instance.table, promptId, 1, new Date())).toEqual([]);
});

test('a missing version is not found, and an invalid one is rejected', async () => {
  const { promptId } = await aPrompt(instance);
  await refused(instance, 'versions-get', 'version_not_found', { params: { promptId, version: '9.9.9' } });
  await refused(instance, 'versions-get', 'prompt_not_found', {
    params: { promptId: 'prm_x', version: '1.0.0' },
  });
  const wrong = { params: { promptId, version: 'latest' } };
  expect(await refused(instance, 'versions-get', 'invalid_request', wrong)).toContain('"version"');
});
