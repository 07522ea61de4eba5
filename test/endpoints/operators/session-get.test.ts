import { protectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { vaultHeadKey } from '../../../lambdas/store/vault/head.ts';
import { vaultIn } from '../../../lambdas/store/vault/vault.ts';
import { ask, refused } from '../../support/admin.ts';
import { openInstance } from '../../support/instance.ts';
import { operatorIdOf, tokenWith } from '../../support/operators.ts';
import { changeAt } from '../../support/rows/table.ts';
import { editRow } from '../../support/rows/tampering.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('tells operators who they are as the table says, whatever groups or address the token claims', async () => {
  const operatorId = await operatorIdOf(instance, ['viewer']);
  const claims = { username: operatorId, email: 'eve@example.com', 'cognito:groups': ['admin'] };
  const token = await tokenWith(instance, claims);
  const expected = {
    operatorId,
    email: 'viewer@example.com',
    group: 'viewer',
    protectedLabels: expect.any(Array),
    environments: await ask(instance, 'environments-list'),
  };
  expect(await ask(instance, 'session-get', { token })).toEqual(expected);
});

test('the list of operators says when each last signed in, however often an earlier session calls', async () => {
  const operatorId = await operatorIdOf(instance, ['editor']);
  const last = Math.floor(Date.now() / 1_000);
  for (const auth_time of [last - 60, last, last - 30])
    await ask(instance, 'session-get', {
      token: await tokenWith(instance, { username: operatorId, auth_time }),
    });
  const { operators } = await ask(instance, 'operators-list');
  expect(operators).toContainEqual(
    expect.objectContaining({ operatorId, signedInAt: new Date(last * 1_000).toISOString() }),
  );
});

test('tells every operator which labels are protected, since when and by whom, sorted by name', async () => {
  const [one, other] = [uniqueName('label'), uniqueName('label')];
  const change = changeAt();
  for (const label of [other, one]) await protectLabel(instance.table, change, label);
  const { protectedLabels } = await ask(instance, 'session-get', { groups: ['viewer'] });
  const names = protectedLabels.map(({ label }: { label: string }) => label);
  expect(names).toEqual([...names].sort());
  const since = { protectedAt: change.at.toISOString(), protectedBy: change.actor.name };
  for (const label of [one, other]) expect(protectedLabels).toContainEqual({ label, ...since });
});

test('a user whom nobody has invited is no operator', async () => {
  const { id: username } = await instance.addOperator({ email: 'user@example.com', password: 'x' });
  const token = await tokenWith(instance, { username, 'cognito:groups': ['admin'] });
  expect(await refused(instance, 'session-get', 'forbidden', { token })).toContain('invite');
});

test('a forged row of a vault does not keep operators out, nor hide the other environments', async () => {
  const forged = await openInstance();
  await ask(forged, 'environments-set', { body: { environments: ['default', 'staging'] } });
  await forged.settled();
  await editRow(forged.table, vaultHeadKey(vaultIn(forged.table, 'staging')), { count: 99 });
  const session = await ask(forged, 'session-get');
  const metrics = forged.logs.join().match(/"IntegrityFailures":1/g);
  await forged.stop();
  expect(session).toMatchObject({ group: 'admin', protectedLabels: expect.any(Array) });
  expect(session.environments.environments).toMatchObject([
    ...[
      { name: 'default', secrets: expect.any(Number) },
      { name: 'staging', secrets: null, stopped: null },
    ],
  ]);
  expect(metrics).not.toBeNull();
});
