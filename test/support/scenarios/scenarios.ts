import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PARTITIONS } from '../../../contract/table.ts';
import { objectKey, type Seal } from '../../../lambdas/core/seal/sealed-object.ts';
import { lastUseOf } from '../../../lambdas/store/api-keys/uses.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { integrityStatus } from '../../../lambdas/store/integrity/status.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { queryItems } from '../../../lambdas/store/queries.ts';
import { LAST_SEAL } from '../../../lambdas/store/seal/seals.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import type { SignedKind } from '../../../lambdas/store/signing/rows.ts';
import { getItem } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { usageOf } from '../../../lambdas/store/usage/counters.ts';
import { findDeleted } from '../../../lambdas/store/vault/deleted.ts';
import { listRevisions, readHead, VAULT_HEAD } from '../../../lambdas/store/vault/head.ts';
import { findKeyPair, keyPairKey, VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { createLastReads } from '../../../lambdas/store/views/secret-rows.ts';
import type { SharedInstance } from '../calls.ts';
import { daysAgo } from '../days.ts';
import { auditOf } from '../rows/audit.ts';
import { content } from '../rows/prompts.ts';
import { changeAt } from '../rows/table.ts';
import { resignRow } from '../rows/tampering.ts';
import { accessesTo } from '../rows/usage.ts';
import { keptValues } from '../rows/vault.ts';
import { ADMIN_SCENARIOS } from './admin-scenarios.ts';
import { BACKUP_SCENARIOS } from './backup-scenarios.ts';
import { OPERATOR_SCENARIOS } from './operator-scenarios.ts';
import { isRefused, PUBLISHING_SCENARIOS } from './publishing-scenarios.ts';

/** Exercises everything that a function does, and fails if something does not work. */
export type Scenario = (instance: SharedInstance) => Promise<void>;

const LONG_AGO = '2001-01-01T00:00:00.000Z';

let count = 0;
const unique = (name: string): string => `${name}-${++count}`;

const runJob = async (instance: SharedInstance, id: string): Promise<void> => {
  const outcome = await instance.invoke(id, {});
  if ('failure' in outcome) throw new Error(`${id}: ${outcome.failure} ${instance.logs.slice(-3).join('')}`);
};

const fetchNewPrompt = async (instance: SharedInstance) => {
  const { promptId } = await createPrompt(instance.table, changeAt(), {
    name: unique('prompt'),
    ...content('x'),
  });
  const { apiKey, keyId } = await instance.newKey();
  const reply = await instance.post('/api/prompt/get-compiled', { promptId, version: '1.0.0' }, apiKey);
  expect(reply.status).toBe(200);
  return { promptId, keyId };
};

const getPrompt: Scenario = async (instance) => {
  const { promptId } = await fetchNewPrompt(instance);
  expect(await accessesTo(instance.table, promptId)).toHaveLength(1);
  const call = (apiKey: string) => instance.post('/api/prompt/get-compiled', { name: 'x' }, apiKey);
  await isRefused(instance, call, 'secrets');
};

const getLangfusePrompt: Scenario = async (instance) => {
  const { apiKey } = await instance.newKey();
  const name = unique('prompt');
  await createPrompt(instance.table, changeAt(), { name, ...content('x') });
  const call = (password: string) => {
    const authorization = `Basic ${Buffer.from(`:${password}`).toString('base64')}`;
    const url = `${instance.url}/api/public/v2/prompts/${name}?label=latest`;
    return fetch(url, { headers: { authorization } });
  };
  expect((await call(apiKey)).status).toBe(200);
  await isRefused(instance, call, 'secrets');
};

const getSecrets: Scenario = async (instance) => {
  const key = unique('SECRET');
  await createSecret(instance.table, changeAt(), { key, value: 'v', tags: [] });
  await ageKeyPair(instance);
  await runJob(instance, 'vault-rotate');
  const { apiKey, keyId } = await instance.newKey();
  const reply = await instance.post('/api/vault/get-secrets', {}, apiKey);
  expect(reply.json.res).toMatchObject({ [key]: 'v' });
  expect(await auditOf(instance, 'read', keyId)).toHaveLength(1);
  const call = (apiKey: string) => instance.post('/api/vault/get-secrets', { name: 'x' }, apiKey);
  await isRefused(instance, call, 'prompts');
};

const readNewSecret = async (instance: SharedInstance) => {
  const key = unique('SECRET');
  const { secretId } = await createSecret(instance.table, changeAt(), { key, value: 'v', tags: [] });
  const { apiKey, keyId } = await instance.newKey();
  const reply = await instance.post('/api/vault/get-secrets', { key }, apiKey);
  expect(reply.status).toBe(200);
  return { secretId, keyId };
};

const countUsage: Scenario = async (instance) => {
  const { promptId, keyId } = await fetchNewPrompt(instance);
  const released = await readNewSecret(instance);
  await instance.settled();
  expect(await usageOf(instance.table, promptId, 2, new Date())).toMatchObject([{ count: 1 }]);
  expect(await lastUseOf(instance.table, keyId)).toBeDefined();
  const lastReads = await createLastReads(instance.table)(new Date());
  expect(lastReads.get(released.secretId)?.apiKeyId).toBe(released.keyId);
};

/** The bus accepts any event: `test/local/feed/events.test.ts` tests what they contain. */
const sendEvents: Scenario = async (instance) => {
  const { table } = instance;
  await instance.newKey();
  const { promptId } = await createPrompt(table, changeAt(), { name: unique('tampered'), ...content('x') });
  const before = (await integrityStatus(table)).findings;
  await deleteItem(table, versionKey(promptId, '1.0.0'));
  // A change of the vault is compared with its audit entry.
  await createSecret(table, changeAt(), { key: unique('SECRET'), value: 'v', tags: [] });
  await instance.settled();
  // The embedded engine does not expire rows on demand.
  const Keys = { pk: { S: `${PARTITIONS.auditRead}2026-01-01#0` }, sk: { S: unique('expired') } };
  const OldImage = { ...Keys, at: { S: new Date().toISOString() }, ttl: { N: '1' } };
  const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
  const dynamodb = { SequenceNumber: `${Date.now()}${++count}`, Keys, OldImage };
  const outcome = await instance.invoke('changes', {
    Records: [{ eventName: 'REMOVE', userIdentity, dynamodb }],
  });
  if ('failure' in outcome) throw new Error(outcome.failure);
  expect((await integrityStatus(table)).findings).toBeGreaterThanOrEqual(before + 2);
};

const rowsOf = ({ table }: SharedInstance, pk: string, start: string) =>
  Array.fromAsync(
    queryItems(table, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
      ExpressionAttributeValues: { ':pk': pk, ':start': start },
    }),
  );

const ageRows = async <Entity>(
  instance: SharedInstance,
  kind: SignedKind<Entity>,
  pk: string,
  start: string,
  aged: Partial<Entity>,
): Promise<void> => {
  for (const row of await rowsOf(instance, pk, start)) {
    await resignRow(instance.table, kind, { pk, sk: String(row.sk) }, aged);
  }
};

const ageKeyPair = (instance: SharedInstance) =>
  ageRows(instance, VAULT_KEY_PAIR, PARTITIONS.vaultKey, 'VERSION#', { createdAt: LONG_AGO });

const rotate: Scenario = async (instance) => {
  const { table } = instance;
  const secret = { value: 'first', tags: [] };
  const kept = await createSecret(table, changeAt(), { key: unique('KEPT'), ...secret });
  await updateSecret(table, changeAt(), kept.secretId, { value: 'second' });
  const gone = await createSecret(table, changeAt(), { key: unique('GONE'), ...secret });
  await deleteSecret(table, changeAt(), gone.secretId);
  const before = (await readHead(table)).keyVersion;
  await ageKeyPair(instance);
  await runJob(instance, 'vault-rotate');
  expect((await readHead(table)).keyVersion).toBe(before + 1);
  // A lost race may leave a row that nothing references.
  const versionsKept = async () =>
    [...new Set((await keptValues(table, kept.secretId)).map(({ keyVersion }) => keyVersion))].sort();
  expect(await versionsKept()).toEqual([before, before + 1]);
  expect((await findDeleted(table, await readHead(table), gone.secretId))?.entry.keyVersion).toBe(before);
  for (let version = 1; version <= before; version++) {
    if ((await findKeyPair(table, version)) === undefined) continue;
    await resignRow(table, VAULT_KEY_PAIR, keyPairKey(version), { supersededAt: LONG_AGO });
  }
  for (const start of ['REVISION#', 'HEAD'])
    await ageRows(instance, VAULT_HEAD, PARTITIONS.vault, start, { changedAt: LONG_AGO });
  await runJob(instance, 'vault-rotate');
  expect(await findKeyPair(table, before)).toBeUndefined();
  expect(await versionsKept()).toEqual([before + 1]);
};

const purge: Scenario = async (instance) => {
  const { table } = instance;
  const { promptId } = await createPrompt(table, changeAt(daysAgo(20)), {
    name: unique('old'),
    ...content('x'),
  });
  await deletePrompt(table, changeAt(daysAgo(10)), promptId);
  const secret = { key: unique('OLD'), value: 'first', tags: [] };
  const { secretId } = await createSecret(table, changeAt(daysAgo(20)), secret);
  await updateSecret(table, changeAt(daysAgo(19)), secretId, { value: 'second' });
  await deleteSecret(table, changeAt(daysAgo(10)), secretId);
  await runJob(instance, 'table-purge');
  expect(await rowsOf(instance, PARTITIONS.prompt + promptId, 'VERSION#')).toEqual([]);
  expect(await rowsOf(instance, PARTITIONS.prompt + promptId, 'EVENT#')).toEqual([]);
  const deletions = await rowsOf(instance, PARTITIONS.promptPurge, '2');
  expect(deletions.filter((row) => row.promptId === promptId)).toEqual([]);
  expect(await findDeleted(table, await readHead(table), secretId)).toBeUndefined();
  expect(await keptValues(table, secretId)).toEqual([]);
  const limit = daysAgo(8).toISOString();
  const revisions = await Array.fromAsync(listRevisions(table));
  // The times of these changes run backwards, so that a later revision may go before an earlier one.
  const known = revisions.map(({ revision }) => revision.replacedAt).filter((time) => time !== '');
  expect(known.filter((time) => time < limit)).toEqual([]);
};

const sealLog: Scenario = async (instance) => {
  const { table } = instance;
  const entry = { action: 'label.set', subject: 'prm_1', name: unique('sealed') };
  await transact(table, [auditChange(table, changeAt(daysAgo(1 / 24)), entry)]);
  await runJob(instance, 'audit-seal');
  const before = await getItem(table, LAST_SEAL);
  expect(before).toBeDefined();
  // Someone puts an object where the next one belongs.
  const { number, to } = before as unknown as Seal;
  const foreign = path.join(instance.dataFolder, 'sealed-log', objectKey({ number: number + 1, from: to }));
  mkdirSync(path.dirname(foreign), { recursive: true });
  writeFileSync(foreign, 'foreign');
  const { findings } = await integrityStatus(table);
  // Without this row, the job looks for the last object.
  await deleteItem(table, LAST_SEAL);
  await runJob(instance, 'audit-seal');
  expect(Number((await getItem(table, LAST_SEAL))?.number)).toBeGreaterThan(number + 1);
  expect((await integrityStatus(table)).findings).toBeGreaterThan(findings);
};

/** One for each function that has grants, by operation id. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'prompt-get-compiled': getPrompt,
  'prompt-get-langfuse': getLangfusePrompt,
  'vault-get-secrets': getSecrets,
  changes: sendEvents,
  'usage-count': countUsage,
  'vault-rotate': rotate,
  'table-purge': purge,
  'audit-seal': sealLog,
  ...BACKUP_SCENARIOS,
  ...ADMIN_SCENARIOS,
  ...PUBLISHING_SCENARIOS,
  ...OPERATOR_SCENARIOS,
};
