import type { Endpoint } from '../../contract/endpoint.ts';
import { secretsCreate } from '../../contract/endpoints/secrets/secrets-create.ts';
import { secretsDelete } from '../../contract/endpoints/secrets/secrets-delete.ts';
import { secretsRestore } from '../../contract/endpoints/secrets/secrets-restore.ts';
import { deleteSecret } from '../../lambdas/store/secrets/removals.ts';
import { findHead } from '../../lambdas/store/vault/head.ts';
import { type Sent, send } from '../support/admin.ts';
import { createLostRaces } from '../support/aws/faults.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { changesBy } from '../support/rows/audit.ts';
import { secretValue, storeSecret } from '../support/rows/secrets.ts';
import { changeAt } from '../support/rows/table.ts';

const races = createLostRaces();
let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ hooks: { intercept: races.intercept } });
});
afterAll(() => instance.stop());

test('a change that conflicts on every attempt fails with an error and changes nothing', async () => {
  const live = await storeSecret(instance);
  const gone = await storeSecret(instance);
  await deleteSecret(instance.table, changeAt(), gone.secretId);
  const changes: readonly (readonly [Endpoint, Sent])[] = [
    [secretsCreate, { body: { key: 'A', value: secretValue(1) } }],
    [secretsDelete, { params: { secretId: live.secretId } }],
    [secretsRestore, { params: { secretId: gone.secretId } }],
  ];
  // Twelve attempts with their pauses take most of a call's time, so the functions are loaded in advance.
  for (const [endpoint] of changes)
    await send(instance, endpoint, { params: { secretId: 'unknown' }, body: {} });
  const before = await findHead(instance.table);
  races.lose(Number.POSITIVE_INFINITY);
  // On a slow machine, the attempts take longer than a call may.
  for (const [endpoint, sent] of changes)
    expect(['changed_meanwhile', 'timeout']).toContain((await send(instance, endpoint, sent)).code);
  expect(await findHead(instance.table)).toEqual(before);
  expect(await changesBy(instance, ['admin'])).toEqual([]);
});
