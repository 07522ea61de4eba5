import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { ask } from '../../support/admin.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('versions are listed highest first, with labels, usage, author and note, without texts', async () => {
  const { promptId } = await aPrompt(instance);
  const note = { ...content('Later'), note: 'a fix', bump: 'patch' } as const;
  await publishVersion(instance.table, changeAt(), promptId, note);
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  await setLabel(instance.table, changeAt(), promptId, 'canary', '1.0.0');
  await fetchPrompt(instance, promptId, { version: '1.0.0', times: 2 });
  const { versions } = await ask(instance, 'versions-list', { params: { promptId } });
  expect(versions).toMatchObject([
    ...[{ version: '1.1.1', note: 'a fix', labels: [], fetches: 0, lastFetchedAt: null, templateBytes: 5 }],
    ...[{ version: '1.1.0', publishedBy: 'operator@example.com' }],
    ...[
      { version: '1.0.0', labels: ['canary', 'production'], fetches: 2, lastFetchedAt: expect.any(String) },
    ],
  ]);
  const first = await ask(instance, 'versions-list', { params: { promptId }, query: { limit: 2 } });
  const second = await ask(instance, 'versions-list', {
    params: { promptId },
    query: { limit: 2, cursor: first.cursor },
  });
  expect([...first.versions, ...second.versions]).toEqual(versions);
});
