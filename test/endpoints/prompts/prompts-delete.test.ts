import { ask, refused } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { countUses } from '../../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('an unused prompt is deleted without confirmation and can be restored for seven days', async () => {
  const { promptId, name } = await aPrompt(instance);
  const reply = await ask(instance, 'prompts-delete', { params: { promptId }, groups: ['editor'] });
  expect(reply).toMatchObject({ promptId, name });
  const days = (Date.parse(reply.restorableUntil) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  await refused(instance, 'prompts-delete', 'prompt_not_found', { params: { promptId } });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'prompt.delete', subject: promptId, name }),
  );
});

test('a recently fetched prompt needs confirmation, and the error says which keys fetched it how often', async () => {
  const { promptId, name } = await aPrompt(instance);
  const web = await fetchPrompt(instance, promptId, { times: 3, name: 'the web' });
  const job = await fetchPrompt(instance, promptId, { name: 'a job' });
  const params = { promptId };
  for (const query of [{}, { confirm: false }]) {
    const sentence = await refused(instance, 'prompts-delete', 'in_use', { params, query });
    expect(sentence).toContain(`"${name}" was fetched 4 times within the last 7 days`);
    expect(sentence).toContain(
      `3 times with the key "the web" (${web.keyId}), once with the key "a job" (${job.keyId})`,
    );
  }
  await ask(instance, 'prompts-delete', { params, query: { confirm: true } });
});

test('fetches older than seven days need no confirmation', async () => {
  const fetchedBefore = async (days: number) => {
    const { promptId } = await newPrompt(instance.table, { at: daysAgo(20) });
    await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(days));
    return { params: { promptId } };
  };
  await ask(instance, 'prompts-delete', await fetchedBefore(7.01));
  await refused(instance, 'prompts-delete', 'in_use', await fetchedBefore(6.99));
});

test('a deletion based on an outdated state is rejected', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  await refused(instance, 'prompts-delete', 'changed_meanwhile', { params, query: { rev: 1 } });
  await ask(instance, 'prompts-delete', { params, query: { rev: 2 } });
});
