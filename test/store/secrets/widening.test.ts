import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { type KeyInput, newApiKey } from '../../support/rows/api-keys.ts';
import { changeAt, expectRefused } from '../../support/rows/table.ts';
import { day, onDay, secretsOn, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const confirmed = (at: Date) => ({ ...changeAt(at), mayWidenAccess: true });

const newKey = async (input: KeyInput = {}) =>
  (await newApiKey(table, { name: 'bot', permissions: ['secrets'], tags: ['llm'], at: day(0), ...input }))
    .record;

const newSecret = (tags: readonly string[] = [], key = 'K') => secretsOn(0).create(key, 'v', tags);

const refusal = { code: 'would_widen_access', message: expect.stringContaining('"bot"') };

describe('an existing secret becomes readable for a restricted key only with an administrator', () => {
  test('by an import that adds tags', async () => {
    await newKey();
    await newSecret();
    const pairs = [
      { key: 'K', value: 'new' },
      { key: 'NEW', value: 'new' },
    ];
    await expect(importSecrets(table, onDay(1), pairs, ['llm'])).rejects.toMatchObject(refusal);
    await importSecrets(table, onDay(1), [{ key: 'NEW', value: 'new' }], ['llm']);
    expect((await importSecrets(table, confirmed(day(1)), pairs, ['llm'])).updated).toHaveLength(2);
  });

  test('by restoring a secret that was deleted before the key was created', async () => {
    const { secretId } = await newSecret(['llm']);
    await secretsOn(1).remove(secretId);
    await newKey({ at: day(2) });
    await expect(secretsOn(3).restore(secretId)).rejects.toMatchObject(refusal);
    expect((await restoreSecret(table, confirmed(day(3)), secretId)).tags).toEqual(['llm']);
  });
});

describe('what lets no key read more needs no administrator', () => {
  test('a new value, fewer tags, tags of no key, a rollback, a new secret', async () => {
    await newKey();
    await newKey({ tags: ['llm', 'eu'], name: 'both' });
    const { secretId } = await newSecret(['llm', 'us']);
    const update = (change: object) => secretsOn(1).update(secretId, change);
    await update({ value: 'w' });
    await update({ tags: ['llm', 'other'] });
    await update({ tags: [] });
    await secretsOn(1).rollBack(secretId, 1);
    await newSecret(['llm'], 'NEW');
  });

  test('keys that are expired, revoked, unrestricted or only for prompts do not count', async () => {
    await newKey({ expiresAt: day(1).toISOString() });
    await newKey({ tags: [] });
    await newKey({ permissions: ['prompts'] });
    const { keyId } = await newKey();
    await revokeApiKey(table, onDay(1), keyId);
    const { secretId } = await newSecret();
    await secretsOn(2).update(secretId, { tags: ['llm'] });
  });

  test('a secret that a key could read until its deletion is restored for it', async () => {
    const { secretId } = await newSecret(['llm']);
    await newKey();
    await secretsOn(1).remove(secretId);
    await secretsOn(2).restore(secretId);
  });
});

test('a key that is created while tags change is either counted, or created after the change', async () => {
  const { secretId } = await newSecret();
  let commits = 0;
  const racing = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand' && ++commits === 1) await newKey();
  });
  const late = secretsOn(1, racing).update(secretId, { tags: ['llm'] });
  await expect(late).rejects.toMatchObject(refusal);
});

test('a planted or missing row of restrictions stops changes of tags', async () => {
  await newKey();
  const { secretId } = await newSecret();
  const row = { pk: PARTITIONS.restrictions, sk: 'KEYS' };
  await putItem(table, { ...row, revision: 2, keys: '[]' });
  const change = () => secretsOn(1).update(secretId, { tags: ['llm'] });
  await expectRefused(change(), 'integrity');
  await deleteItem(table, row);
  await expectRefused(change(), 'integrity');
});

test('restricted keys are limited in number; expired and revoked ones make room', async () => {
  const tags = Array.from({ length: LIMITS.tags }, (_, n) => `${n}`.padStart(LIMITS.tagBytes, 't'));
  const first = await newKey({ tags });
  await newKey({ tags, expiresAt: day(1).toISOString() });
  const fill = async (): Promise<void> => {
    for (;;) await newKey({ tags });
  };
  const full = { code: 'too_many_restricted_keys', message: expect.stringContaining('Revoke') };
  await expect(fill()).rejects.toMatchObject(full);
  expect((await newKey({ tags, at: day(2) })).tags).toHaveLength(LIMITS.tags);
  await expect(newKey({ tags, at: day(2) })).rejects.toMatchObject(full);
  await revokeApiKey(table, onDay(2), first.keyId);
  expect((await newKey({ tags, at: day(2) })).tags).toHaveLength(LIMITS.tags);
});
