import { keysCreate } from '../../../contract/endpoints/api-keys/keys-create.ts';
import { keysGet } from '../../../contract/endpoints/api-keys/keys-get.ts';
import { keysList } from '../../../contract/endpoints/api-keys/keys-list.ts';
import { keysRevoke } from '../../../contract/endpoints/api-keys/keys-revoke.ts';
import { keysUpdate } from '../../../contract/endpoints/api-keys/keys-update.ts';
import { auditList } from '../../../contract/endpoints/audit-list.ts';
import { labelsListProtected } from '../../../contract/endpoints/labels/labels-list-protected.ts';
import { labelsProtect } from '../../../contract/endpoints/labels/labels-protect.ts';
import { labelsRemove } from '../../../contract/endpoints/labels/labels-remove.ts';
import { labelsSet } from '../../../contract/endpoints/labels/labels-set.ts';
import { labelsUnprotect } from '../../../contract/endpoints/labels/labels-unprotect.ts';
import { metricsGet } from '../../../contract/endpoints/metrics-get.ts';
import { notificationsTest } from '../../../contract/endpoints/notifications/notifications-test.ts';
import { overviewGet } from '../../../contract/endpoints/overview-get.ts';
import { eventsList } from '../../../contract/endpoints/prompts/events-list.ts';
import { examplesSave } from '../../../contract/endpoints/prompts/examples-save.ts';
import { promptsCreate } from '../../../contract/endpoints/prompts/prompts-create.ts';
import { promptsDelete } from '../../../contract/endpoints/prompts/prompts-delete.ts';
import { promptsGet } from '../../../contract/endpoints/prompts/prompts-get.ts';
import { promptsList } from '../../../contract/endpoints/prompts/prompts-list.ts';
import { promptsListDeleted } from '../../../contract/endpoints/prompts/prompts-list-deleted.ts';
import { promptsRestore } from '../../../contract/endpoints/prompts/prompts-restore.ts';
import { accessesList } from '../../../contract/endpoints/usage/accesses-list.ts';
import { callersList } from '../../../contract/endpoints/usage/callers-list.ts';
import { usageGet } from '../../../contract/endpoints/usage/usage-get.ts';
import { draftsDelete } from '../../../contract/endpoints/versions/drafts-delete.ts';
import { draftsSave } from '../../../contract/endpoints/versions/drafts-save.ts';
import { versionsDelete } from '../../../contract/endpoints/versions/versions-delete.ts';
import { versionsGet } from '../../../contract/endpoints/versions/versions-get.ts';
import { versionsList } from '../../../contract/endpoints/versions/versions-list.ts';
import { versionsPublish } from '../../../contract/endpoints/versions/versions-publish.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { protectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { ask, refused } from '../admin.ts';
import type { SharedInstance } from '../calls.ts';
import { content } from '../rows/prompts.ts';
import { changeAt } from '../rows/table.ts';
import { uniqueName } from '../unique-name.ts';
import { aPrompt, aSecret, fetchPrompt, readSecrets } from './admin-world.ts';
import { SECRET_SCENARIOS } from './secret-scenarios.ts';

type Scenario = (instance: SharedInstance) => Promise<void>;

const ofNew = async (instance: SharedInstance) => ({
  params: { promptId: (await aPrompt(instance)).promptId },
});

/** The groups of someone whose changes of labels are compared with the protected ones. */
const EDITOR = { groups: ['editor'] };

const ofLabelled = async (instance: SharedInstance) => {
  const { promptId } = await aPrompt(instance);
  await setLabel(instance.table, changeAt(), promptId, 'staging', '1.0.0');
  return { params: { promptId } };
};

let count = 0;
const unique = (name: string): string => `${name} of the grants ${++count}`;

const createPrompts: Scenario = async (instance) => {
  const sent = { body: { name: unique('prompt'), prompt: 'x', label: 'staging' }, ...EDITOR };
  const { prompt } = await ask(instance, promptsCreate, sent);
  await deletePrompt(instance.table, changeAt(), prompt.promptId);
  await ask(instance, promptsCreate, sent);
};

const deletePrompts: Scenario = async (instance) => {
  const sent = { ...(await ofLabelled(instance)), ...EDITOR };
  await fetchPrompt(instance, sent.params.promptId, { name: 'known' });
  expect(await refused(instance, promptsDelete, 'in_use', sent)).toContain('"known"');
  await ask(instance, promptsDelete, { ...sent, query: { confirm: true } });
  // Nobody fetched this one: then the search for versions that include it begins.
  const { promptId: unused } = await aPrompt(instance);
  await ask(instance, promptsDelete, { params: { promptId: unused } });
};

const deleteVersions: Scenario = async (instance) => {
  const { promptId } = await aPrompt(instance);
  await fetchPrompt(instance, promptId, { name: 'known' });
  const params = { promptId, version: '1.1.0' };
  expect(await refused(instance, versionsDelete, 'in_use', { params })).toContain('"known"');
  await ask(instance, versionsDelete, { params, query: { confirm: true } });
  const { promptId: unused } = await aPrompt(instance);
  await ask(instance, versionsDelete, { params: { promptId: unused, version: '1.1.0' } });
};

const listPrompts: Scenario = async (instance) => {
  const { promptId, name } = await aPrompt(instance);
  await fetchPrompt(instance, promptId);
  const { prompts } = await ask(instance, promptsList, { query: { q: name, limit: 200 } });
  const row = prompts.find((prompt: { promptId: string }) => prompt.promptId === promptId);
  expect(row.fetches.last7Days).toBe(1);
};

const restorePrompts: Scenario = async (instance) => {
  const sent = { ...(await ofLabelled(instance)), ...EDITOR };
  await deletePrompt(instance.table, changeAt(), sent.params.promptId);
  expect(JSON.stringify(await ask(instance, promptsListDeleted))).toContain(sent.params.promptId);
  await ask(instance, promptsRestore, sent);
};

const getPrompts: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await fetchPrompt(instance, sent.params.promptId);
  expect((await ask(instance, promptsGet, sent)).fetches.last7Days).toBe(1);
};

const listVersions: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await fetchPrompt(instance, sent.params.promptId);
  expect((await ask(instance, versionsList, sent)).versions).toMatchObject([{ fetches: 1 }, { fetches: 0 }]);
};

const publishVersions: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  const { rev } = await saveDraft(instance.table, changeAt(), sent.params.promptId, content('draft'));
  const body = { prompt: 'x', bump: 'minor', label: 'staging', draftRev: rev };
  await ask(instance, versionsPublish, { ...sent, ...EDITOR, body });
};

const deleteDrafts: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await saveDraft(instance.table, changeAt(), sent.params.promptId, content('draft'));
  await ask(instance, draftsDelete, sent);
};

const removeLabels: Scenario = async (instance) => {
  const { params } = await ofLabelled(instance);
  await ask(instance, labelsRemove, { params: { ...params, label: 'staging' }, ...EDITOR });
};

const listAccesses: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await fetchPrompt(instance, sent.params.promptId);
  expect((await ask(instance, accessesList, sent)).accesses).toHaveLength(1);
};

const listCallers: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await fetchPrompt(instance, sent.params.promptId, { name: 'known' });
  expect((await ask(instance, callersList, sent)).callers).toMatchObject([{ apiKeyName: 'known' }]);
};

const getUsage: Scenario = async (instance) => {
  const sent = await ofNew(instance);
  await fetchPrompt(instance, sent.params.promptId, { name: 'known' });
  expect(await ask(instance, usageGet, sent)).toMatchObject({
    counts: [{ count: 1 }],
    keys: [{ name: 'known' }],
  });
};

const listKeys: Scenario = async (instance) => {
  const { promptId } = await aPrompt(instance);
  const { apiKey, keyId } = await fetchPrompt(instance, promptId);
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  await instance.settled();
  const { keys } = await ask(instance, keysList, { query: { q: keyId } });
  expect(keys).toMatchObject([{ calls: { prompts: 1, secrets: 1 }, lastUsedAt: expect.any(String) }]);
};

const getKey: Scenario = async (instance) => {
  const { promptId } = await aPrompt(instance);
  const { secretId } = await aSecret(instance);
  const { apiKey, keyId } = await fetchPrompt(instance, promptId);
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  await instance.settled();
  const { fetched, read, prompts, secrets } = await ask(instance, keysGet, { params: { keyId } });
  expect(fetched).toMatchObject([{ promptId, fetches: 1 }]);
  expect(read.map((one: { secretId: string }) => one.secretId)).toContain(secretId);
  expect([prompts.allowed, secrets.allowed]).toEqual([prompts.total, secrets.total]);
};

const listAudit: Scenario = async (instance) => {
  const { key } = await aSecret(instance);
  await readSecrets(instance, {});
  const ofSecret = await ask(instance, auditList, { query: { kind: 'read', subject: key } });
  expect(ofSecret.entries).toHaveLength(1);
  const kinds = async (kind: string) => (await ask(instance, auditList, { query: { kind } })).entries.length;
  expect(await kinds('change')).toBeGreaterThan(0);
  expect(await kinds('read')).toBeGreaterThan(0);
  const { apiKey } = await instance.newKey({ permissions: ['prompts'] });
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  expect(await kinds('refusal')).toBeGreaterThan(0);
};

const getOverview: Scenario = async (instance) => {
  const { promptId } = await aPrompt(instance);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  await instance.newKey({ name: 'expiring', expiresAt });
  await aSecret(instance);
  await readSecrets(instance, {});
  await fetchPrompt(instance, promptId);
  const { totals, topPrompts, expiringKeys, changes } = await ask(instance, overviewGet);
  expect(Math.min(totals.prompts, totals.secrets, totals.keys)).toBeGreaterThan(0);
  expect(Math.min(topPrompts.length, expiringKeys.length, changes.length)).toBeGreaterThan(0);
};

/** One for each endpoint for operators, by operation id. */
export const ADMIN_SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...SECRET_SCENARIOS,
  'accesses-list': listAccesses,
  'audit-list': listAudit,
  'callers-list': listCallers,
  'drafts-delete': deleteDrafts,
  'drafts-save': async (instance) => {
    await ask(instance, draftsSave, { ...(await ofNew(instance)), body: { prompt: 'x' } });
  },
  'events-list': async (instance) => {
    expect((await ask(instance, eventsList, await ofNew(instance))).events).toHaveLength(2);
  },
  'examples-save': async (instance) => {
    const params = await ofNew(instance);
    await ask(instance, examplesSave, { ...params, body: { values: { user: 'Ada' } } });
    await ask(instance, examplesSave, { ...params, body: { values: {} } });
  },
  'keys-create': async (instance) => {
    await instance.newKey({ tags: ['granted'] });
    const { keyId: replaces } = await instance.newKey();
    const body = { name: 'x', permissions: ['secrets'], tags: ['granted'], replaces };
    await ask(instance, keysCreate, { body });
  },
  'keys-get': getKey,
  'keys-list': listKeys,
  'keys-revoke': async (instance) => {
    await ask(instance, keysRevoke, { params: { keyId: (await instance.newKey()).keyId } });
  },
  'keys-update': async (instance) => {
    const { keyId } = await instance.newKey();
    await ask(instance, keysUpdate, { params: { keyId }, body: { name: 'renamed', tags: ['one'] } });
  },
  'labels-list-protected': async (instance) => {
    await ask(instance, labelsListProtected);
  },
  'labels-protect': async (instance) => {
    await ask(instance, labelsProtect, { params: { label: uniqueName('label') } });
  },
  'labels-remove': removeLabels,
  'labels-set': async (instance) => {
    const { promptId } = await aPrompt(instance);
    const params = { promptId, label: 'x' };
    await ask(instance, labelsSet, { params, body: { version: '1.0.0' }, ...EDITOR });
  },
  'labels-unprotect': async (instance) => {
    const label = uniqueName('label');
    await protectLabel(instance.table, changeAt(), label);
    await ask(instance, labelsUnprotect, { params: { label } });
  },
  'metrics-get': async (instance) => {
    await ask(instance, metricsGet);
  },
  'notifications-test': async (instance) => {
    await ask(instance, notificationsTest);
  },
  'overview-get': getOverview,
  'prompts-create': createPrompts,
  'prompts-delete': deletePrompts,
  'prompts-get': getPrompts,
  'prompts-list': listPrompts,
  'prompts-list-deleted': restorePrompts,
  'prompts-restore': restorePrompts,
  'usage-get': getUsage,
  'versions-delete': deleteVersions,
  'versions-get': async (instance) => {
    const { promptId } = await aPrompt(instance);
    await ask(instance, versionsGet, { params: { promptId, version: '1.0.0' } });
  },
  'versions-list': listVersions,
  'versions-publish': publishVersions,
};
