import { secretsCreate } from '../../../contract/endpoints/secrets/secrets-create.ts';
import { secretsDelete } from '../../../contract/endpoints/secrets/secrets-delete.ts';
import { secretsGet } from '../../../contract/endpoints/secrets/secrets-get.ts';
import { secretsImport } from '../../../contract/endpoints/secrets/secrets-import.ts';
import { secretsList } from '../../../contract/endpoints/secrets/secrets-list.ts';
import { secretsListDeleted } from '../../../contract/endpoints/secrets/secrets-list-deleted.ts';
import { secretsPreviewReaders } from '../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { secretsRestore } from '../../../contract/endpoints/secrets/secrets-restore.ts';
import { secretsRollback } from '../../../contract/endpoints/secrets/secrets-rollback.ts';
import { secretsUpdate } from '../../../contract/endpoints/secrets/secrets-update.ts';
import { revisionsList } from '../../../contract/endpoints/vault/revisions-list.ts';
import { revisionsRestore } from '../../../contract/endpoints/vault/revisions-restore.ts';
import { rotationStart } from '../../../contract/endpoints/vault/rotation-start.ts';
import { servingSet } from '../../../contract/endpoints/vault/serving-set.ts';
import { vaultGet } from '../../../contract/endpoints/vault/vault-get.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { readHead } from '../../../lambdas/store/vault/head.ts';
import { keyPairKey, VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { ask, refused } from '../admin.ts';
import type { SharedInstance } from '../calls.ts';
import { changeAt, rowsIn } from '../rows/table.ts';
import { resignRow } from '../rows/tampering.ts';
import { keptValues } from '../rows/vault.ts';
import { uniqueName } from '../unique-name.ts';
import { aSecret, readSecrets } from './admin-world.ts';

type Scenario = (instance: SharedInstance) => Promise<void>;

/** A secret with as many values as are kept, so that another one evicts the oldest. */
const withAllValues = async (instance: SharedInstance) => {
  const { secretId, key } = await aSecret(instance);
  for (let i = 0; i < LIMITS.earlierValues; i++) {
    await updateSecret(instance.table, changeAt(), secretId, { value: `value ${i}` });
  }
  return { secretId, key };
};

const expectTrimmed = async ({ table }: SharedInstance, secretId: string): Promise<void> => {
  expect((await keptValues(table, secretId)).length).toBeLessThanOrEqual(LIMITS.earlierValues + 1);
};

/** The tags of a secret that a new key could read if it had them. */
const tagsOfNewKey = async (instance: SharedInstance): Promise<string[]> => {
  const tags = [uniqueName('tag')];
  await instance.newKey({ tags });
  return tags;
};

const CONFIRMED = { query: { confirm: true } } as const;

const update: Scenario = async (instance) => {
  const { secretId } = await withAllValues(instance);
  const params = { secretId };
  for (const value of ['a', 'b']) await ask(instance, secretsUpdate, { params, body: { value } });
  const tags = await tagsOfNewKey(instance);
  await refused(instance, secretsUpdate, 'would_widen_access', { params, body: { tags } });
  await ask(instance, secretsUpdate, { params, body: { tags }, ...CONFIRMED });
  await expectTrimmed(instance, secretId);
};

const importText: Scenario = async (instance) => {
  const { secretId, key } = await withAllValues(instance);
  for (const value of ['a', 'b']) await ask(instance, secretsImport, { body: { text: `${key}=${value}` } });
  const body = { text: `${key}=c`, tags: await tagsOfNewKey(instance) };
  await ask(instance, secretsImport, { body: { ...body, dryRun: true } });
  await ask(instance, secretsImport, { body, ...CONFIRMED });
  await expectTrimmed(instance, secretId);
};

const rollBack: Scenario = async (instance) => {
  const { secretId } = await withAllValues(instance);
  const [oldest = {}] = await rowsIn(instance.table, PARTITIONS.secret + secretId);
  await updateSecret(instance.table, changeAt(), secretId, { value: 'one more' });
  // As if that change had been killed before it could trim.
  await putItem(instance.table, oldest);
  const [{ number }] = (await ask(instance, secretsGet, { params: { secretId } })).values;
  await ask(instance, secretsRollback, { params: { secretId }, body: { number } });
  await expectTrimmed(instance, secretId);
};

const restore: Scenario = async (instance) => {
  const tags = [uniqueName('tag')];
  const { secretId } = await aSecret(instance, tags);
  await deleteSecret(instance.table, changeAt(new Date(Date.now() - 1_000)), secretId);
  await instance.newKey({ tags });
  expect(JSON.stringify(await ask(instance, secretsListDeleted))).toContain(secretId);
  await ask(instance, secretsRestore, { params: { secretId }, ...CONFIRMED });
};

const get: Scenario = async (instance) => {
  const { secretId, key } = await aSecret(instance);
  await updateSecret(instance.table, changeAt(), secretId, { value: 'second' });
  await readSecrets(instance, { key }, 'known');
  const { lastRead, values } = await ask(instance, secretsGet, { params: { secretId } });
  expect([lastRead.apiKeyName, values]).toMatchObject(['known', [{ number: 1 }]]);
};

const list: Scenario = async (instance) => {
  const { key } = await aSecret(instance);
  await readSecrets(instance, { key }, 'known');
  const { secrets } = await ask(instance, secretsList, { query: { q: key, sort: 'read', order: 'desc' } });
  expect(secrets[0].lastRead.apiKeyName).toBe('known');
};

const setStopped: Scenario = async (instance) => {
  await ask(instance, servingSet, { body: { allowed: false, reason: 'a drill' } });
  await ask(instance, servingSet, { body: { allowed: true } });
};

const startRotation: Scenario = async (instance) => {
  const { keyVersion } = await readHead(instance.table);
  // As if the last rotation was yesterday.
  const createdAt = new Date(Date.now() - 86_400_000).toISOString();
  await resignRow(instance.table, VAULT_KEY_PAIR, keyPairKey(keyVersion), { createdAt });
  await ask(instance, rotationStart, { body: { keyVersion } });
  await instance.settled();
  expect((await readHead(instance.table)).keyVersion).toBe(keyVersion + 1);
};

const restoreRevision: Scenario = async (instance) => {
  const tags = [uniqueName('tag')];
  const { secretId } = await aSecret(instance, tags);
  const { revision } = (await ask(instance, vaultGet)).vault;
  await updateSecret(instance.table, changeAt(), secretId, { tags: [] });
  await aSecret(instance);
  await instance.newKey({ tags });
  const params = { revision: String(revision) };
  await ask(instance, revisionsRestore, { params, body: { dryRun: true } });
  await ask(instance, revisionsRestore, { params, body: {}, ...CONFIRMED });
};

let count = 0;

/** One for each endpoint for operators that concerns secrets, by operation id. */
export const SECRET_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'serving-set': setStopped,
  'revisions-list': async (instance) => {
    const { key } = await aSecret(instance);
    expect(JSON.stringify(await ask(instance, revisionsList))).toContain(key);
  },
  'revisions-restore': restoreRevision,
  'rotation-start': startRotation,
  'vault-get': async (instance) => {
    await ask(instance, vaultGet);
  },
  'secrets-create': async (instance) => {
    await ask(instance, secretsCreate, { body: { key: `GRANTED_${++count}`, value: 'x' } });
  },
  'secrets-delete': async (instance) => {
    await ask(instance, secretsDelete, { params: { secretId: (await aSecret(instance)).secretId } });
  },
  'secrets-get': get,
  'secrets-import': importText,
  'secrets-list': list,
  'secrets-list-deleted': restore,
  'secrets-preview-readers': async (instance) => {
    const { keyId } = await instance.newKey({ tags: ['previewed'] });
    const { readers } = await ask(instance, secretsPreviewReaders, { body: { tags: ['previewed'] } });
    expect(readers).toContainEqual(expect.objectContaining({ apiKeyId: keyId }));
  },
  'secrets-restore': restore,
  'secrets-rollback': rollBack,
  'secrets-update': update,
};
