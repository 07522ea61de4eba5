import { updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { changesOf } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
} from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

/** A secret whose values have the numbers 1 to `last`; the first one is `first`. */
const changed = async (last = 2, first = secretValue(1)) => {
  const { secretId, key } = await storeSecret(instance, { value: first });
  for (let n = 2; n <= last; n++) {
    await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(n) });
  }
  return { secretId, key, params: { secretId } };
};

test('the next read returns the earlier value under its own number, and the audit log has both numbers but no value', async () => {
  const { key, params } = await changed(3);
  const reply = await send(instance, 'secrets-rollback', {
    params,
    body: { number: 1, current: 3 },
    groups: ['editor'],
  });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res.secret).toMatchObject({ number: 1, changedBy: 'editor@example.com' });
  expect(await released(instance, key)).toBe(secretValue(1));
  const found = await ask(instance, 'secrets-get', { params });
  expect(found.secret).toEqual(reply.json.res.secret);
  expect(found.values.map(({ number }: { number: number }) => number)).toEqual([3, 2]);
  const [change] = await changesOf(instance, params.secretId);
  const details = { from: 3, to: 1 };
  expect(change).toMatchObject({
    actor: 'editor@example.com',
    action: 'secret.rollback',
    name: key,
    details,
  });
});

test('an unknown, current or expired number cannot be rolled back to', async () => {
  const { key, params } = await changed(12);
  for (const number of [0, 1, 12, 13, 999_999_999]) {
    const sentence = await refused(instance, 'secrets-rollback', 'value_not_found', {
      params,
      body: { number },
    });
    expect(sentence).toContain(key);
  }
  await ask(instance, 'secrets-rollback', { params, body: { number: 2 } });
});

test('a rollback based on an outdated value is rejected', async () => {
  const { key, params } = await changed(3);
  const late = { params, body: { number: 1, current: 2 } };
  expect(await refused(instance, 'secrets-rollback', 'changed_meanwhile', late)).toContain('number 3');
  expect(await released(instance, key)).toBe(secretValue(3));
  expectNothingLogged(instance);
});
