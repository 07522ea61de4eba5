import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { dayOf } from '../../../lambdas/core/days.ts';
import { recountPrompts } from '../../../lambdas/store/prompts/counts.ts';
import { PROMPT_HEAD, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { toItem } from '../../../lambdas/store/signing/writes.ts';
import { ask } from '../../support/admin.ts';
import { daysAgo, onOneDay } from '../../support/days.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { addItems } from '../../support/rows/table.ts';
import { aSecret } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

test('the overview of an unused instance is empty, not absent', async () => {
  const { day, fetches, totals, ...rest } = await onOneDay(() =>
    ask(instance, 'overview-get', { query: { days: 7 } }),
  );
  expect(totals).toMatchObject({ prompts: 0, secrets: 0 });
  expect(fetches).toHaveLength(7);
  expect(fetches[6]).toEqual({ day, prompts: 0, secrets: 0 });
  expect(rest).toMatchObject({ topPrompts: [], unreadSecrets: { total: 0, first: [] } });
});

test('secrets that must be rotated within 14 days, or should have been, are listed by day', async () => {
  const { total: before } = (await ask(instance, 'overview-get')).secretsToRotate;
  const due = async (rotateBy: string) => {
    const { secretId } = await aSecret(instance);
    await ask(instance, 'secrets-update', { params: { secretId }, body: { rotateBy } });
    return secretId;
  };
  const soon = await due(dayOf(daysAgo(-3)));
  const overdue = await due('2020-01-31');
  const later = await due(dayOf(daysAgo(-20)));
  const { secretsToRotate } = await ask(instance, 'overview-get');
  const ids = secretsToRotate.first.map(({ secretId }: { secretId: string }) => secretId);
  expect(secretsToRotate.total).toBe(before + 2);
  expect(ids.indexOf(overdue)).toBeLessThan(ids.indexOf(soon));
  expect(ids).not.toContain(later);
});

test('a rotation is unfinished until the earlier credential is recorded as disabled', async () => {
  const { secretId, key } = await aSecret(instance);
  const isListed = async () => {
    const { secrets } = await ask(instance, 'secrets-list', { query: { unfinished: 'true', q: key } });
    const { first } = (await ask(instance, 'overview-get')).unfinishedRotations;
    const ids = [secrets, first].map((some: { secretId: string }[]) => some.map((one) => one.secretId));
    return ids.map((some) => some.includes(secretId));
  };
  const update = (body: object) => ask(instance, 'secrets-update', { params: { secretId }, body });
  expect(await isListed()).toEqual([false, false]);
  await update({ value: 'new' });
  expect(await isListed()).toEqual([true, true]);
  await update({ switchedOffUpTo: 1 });
  expect(await isListed()).toEqual([false, false]);
});

test('prompts and samples beyond those that one call lists are in the totals, from the last count', async () => {
  const { promptId } = await newPrompt(instance.table);
  const head = await readPromptHead(instance.table, promptId);
  if (head === undefined) throw new Error('The prompt is missing.');
  const more = Array.from({ length: 1_200 }, (_, i) => {
    const number = String(i).padStart(4, '0');
    // The samples are the last of them.
    const tags = i < 1_190 ? [] : [SAMPLE_TAG];
    return toItem(PROMPT_HEAD, { ...head, name: `many/${number}`, promptId: `many-${number}`, tags });
  });
  const { totals: before } = await ask(instance, 'overview-get');
  await addItems(instance.table, more);
  await recountPrompts(instance.table);
  const { totals } = await ask(instance, 'overview-get');
  expect(totals.prompts).toBe(before.prompts + 1_200);
  expect(totals.samples).toBe(before.samples + 10);
});
