import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { ask } from '../../support/admin.ts';
import { daysAgo, onOneDay } from '../../support/days.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { countUses } from '../../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('fetches are listed by day, version and key, with key names and events of the period', async () => {
  const { day, web, job, usage } = await onOneDay(async () => {
    const { promptId } = await aPrompt(instance);
    const web = await fetchPrompt(instance, promptId, { times: 3, name: 'web' });
    await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
    const job = await fetchPrompt(instance, promptId, { version: '1.0.0', name: 'job' });
    return { web, job, usage: await ask(instance, 'usage-get', { params: { promptId } }) };
  });
  expect(usage.to).toBe(day);
  expect((Date.parse(usage.to) - Date.parse(usage.from)) / 86_400_000).toBe(29);
  const byKey = (a: { apiKeyId: string }, b: { apiKeyId: string }) => (a.apiKeyId < b.apiKeyId ? -1 : 1);
  expect(usage).toMatchObject({ latest: '1.1.0', labels: [{ label: 'production', version: '1.0.0' }] });
  const lastAt = expect.stringContaining(day);
  expect(usage.counts.sort(byKey)).toEqual(
    [
      { day, version: '1.1.0', apiKeyId: web.keyId, count: 3, lastAt },
      { day, version: '1.0.0', apiKeyId: job.keyId, count: 1, lastAt },
    ].sort(byKey),
  );
  expect(usage.keys).toHaveLength(2);
  expect(usage.keys).toEqual(
    expect.arrayContaining([
      { keyId: web.keyId, name: 'web' },
      { keyId: job.keyId, name: 'job' },
    ]),
  );
  expect(usage.events).toMatchObject([
    { type: 'label-set', label: 'production', from: null, to: '1.0.0', actor: 'operator@example.com' },
    { type: 'published', version: '1.1.0' },
    { type: 'prompt-created', version: '1.0.0' },
  ]);
});

test('fetches before the first day are left out', async () => {
  const { promptId } = await newPrompt(instance.table, { at: daysAgo(10) });
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'gone' }, daysAgo(3));
  const params = { promptId };
  const three = await ask(instance, 'usage-get', { params, query: { days: 3 } });
  expect([three.counts, three.events]).toEqual([[], []]);
  const eleven = await ask(instance, 'usage-get', { params, query: { days: 11 } });
  expect(eleven.counts).toMatchObject([{ apiKeyId: 'gone', count: 1 }]);
  expect(eleven.keys).toEqual([{ keyId: 'gone', name: '' }]);
  expect(eleven.events).toMatchObject([{ type: 'prompt-created' }]);
});
