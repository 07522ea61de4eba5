import { dayOf } from '../../../lambdas/core/days.ts';
import { ask } from '../../support/admin.ts';
import { daysAgo, onOneDay } from '../../support/days.ts';
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
  const [soon, overdue, later] = [
    await due(dayOf(daysAgo(-3))),
    await due('2020-01-31'),
    await due(dayOf(daysAgo(-20))),
  ];
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
