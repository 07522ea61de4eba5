import type { OperationId } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import { keysCreate } from './endpoints/api-keys/keys-create.ts';
import { keysGet } from './endpoints/api-keys/keys-get.ts';
import { keysList } from './endpoints/api-keys/keys-list.ts';
import { keysRevoke } from './endpoints/api-keys/keys-revoke.ts';
import { keysUpdate } from './endpoints/api-keys/keys-update.ts';
import { whoami } from './endpoints/api-keys/whoami.ts';
import { auditList } from './endpoints/audit-list.ts';
import { labelsMove } from './endpoints/labels/labels-move.ts';
import { labelsProtect } from './endpoints/labels/labels-protect.ts';
import { labelsRemove } from './endpoints/labels/labels-remove.ts';
import { labelsSet } from './endpoints/labels/labels-set.ts';
import { labelsUnprotect } from './endpoints/labels/labels-unprotect.ts';
import { metricsGet } from './endpoints/metrics-get.ts';
import { notFound } from './endpoints/not-found.ts';
import { notificationsTest } from './endpoints/notifications/notifications-test.ts';
import { operatorsInvite } from './endpoints/operators/operators-invite.ts';
import { operatorsList } from './endpoints/operators/operators-list.ts';
import { operatorsUpdate } from './endpoints/operators/operators-update.ts';
import { sessionGet } from './endpoints/operators/session-get.ts';
import { overviewGet } from './endpoints/overview-get.ts';
import { eventsList } from './endpoints/prompts/events-list.ts';
import { examplesSave } from './endpoints/prompts/examples-save.ts';
import { promptGetCompiled } from './endpoints/prompts/prompt-get-compiled.ts';
import { promptGetLangfuse } from './endpoints/prompts/prompt-get-langfuse.ts';
import { promptsCreate } from './endpoints/prompts/prompts-create.ts';
import { promptsDelete } from './endpoints/prompts/prompts-delete.ts';
import { promptsDeleteSeveral } from './endpoints/prompts/prompts-delete-several.ts';
import { promptsGet } from './endpoints/prompts/prompts-get.ts';
import { promptsList } from './endpoints/prompts/prompts-list.ts';
import { promptsListDeleted } from './endpoints/prompts/prompts-list-deleted.ts';
import { promptsRestore } from './endpoints/prompts/prompts-restore.ts';
import { promptList } from './endpoints/publishing/prompt-list.ts';
import { promptMoveLabels } from './endpoints/publishing/prompt-move-labels.ts';
import { promptPublish } from './endpoints/publishing/prompt-publish.ts';
import { promptSource } from './endpoints/publishing/prompt-source.ts';
import { secretsCreate } from './endpoints/secrets/secrets-create.ts';
import { secretsDelete } from './endpoints/secrets/secrets-delete.ts';
import { secretsGet } from './endpoints/secrets/secrets-get.ts';
import { secretsImport } from './endpoints/secrets/secrets-import.ts';
import { secretsList } from './endpoints/secrets/secrets-list.ts';
import { secretsListDeleted } from './endpoints/secrets/secrets-list-deleted.ts';
import { secretsPreviewReaders } from './endpoints/secrets/secrets-preview-readers.ts';
import { secretsRestore } from './endpoints/secrets/secrets-restore.ts';
import { secretsRollback } from './endpoints/secrets/secrets-rollback.ts';
import { secretsUpdate } from './endpoints/secrets/secrets-update.ts';
import { vaultGetSecrets } from './endpoints/secrets/vault-get-secrets.ts';
import { accessesList } from './endpoints/usage/accesses-list.ts';
import { callersList } from './endpoints/usage/callers-list.ts';
import { usageGet } from './endpoints/usage/usage-get.ts';
import { environmentsList } from './endpoints/vault/environments-list.ts';
import { environmentsSet } from './endpoints/vault/environments-set.ts';
import { revisionsList } from './endpoints/vault/revisions-list.ts';
import { revisionsRestore } from './endpoints/vault/revisions-restore.ts';
import { rotationStart } from './endpoints/vault/rotation-start.ts';
import { servingSet } from './endpoints/vault/serving-set.ts';
import { vaultGet } from './endpoints/vault/vault-get.ts';
import { draftsDelete } from './endpoints/versions/drafts-delete.ts';
import { draftsSave } from './endpoints/versions/drafts-save.ts';
import { versionsDelete } from './endpoints/versions/versions-delete.ts';
import { versionsGet } from './endpoints/versions/versions-get.ts';
import { versionsList } from './endpoints/versions/versions-list.ts';
import { versionsPublish } from './endpoints/versions/versions-publish.ts';
import type { Grant } from './functions/grants.ts';

const isChange = (grant: Grant): boolean => grant.on === 'table' && grant.partitions.includes('auditChange');

/**
 * An endpoint for operators reads the row of its caller, which says what they may do. A change that only administrators
 * may make also requires in its transaction that the row is unchanged.
 */
const withOperator = (definition: Endpoint): Endpoint => {
  const { access, grants } = definition;
  if (access.kind !== 'operator') return definition;
  const checks = access.role === 'admin' && grants.some(isChange);
  const actions = checks ? (['GetItem', 'ConditionCheckItem'] as const) : (['GetItem'] as const);
  return { ...definition, grants: [{ on: 'table', actions, partitions: ['operator'] }, ...grants] };
};

const DEFINED = [
  promptGetCompiled,
  promptGetLangfuse,
  vaultGetSecrets,
  promptPublish,
  promptMoveLabels,
  promptList,
  promptSource,
  whoami,
  overviewGet,
  metricsGet,
  promptsList,
  promptsCreate,
  promptsGet,
  promptsDelete,
  promptsDeleteSeveral,
  promptsRestore,
  promptsListDeleted,
  versionsList,
  versionsPublish,
  versionsGet,
  versionsDelete,
  draftsSave,
  draftsDelete,
  examplesSave,
  labelsSet,
  labelsRemove,
  labelsMove,
  labelsProtect,
  labelsUnprotect,
  accessesList,
  callersList,
  eventsList,
  usageGet,
  secretsList,
  secretsCreate,
  secretsImport,
  secretsPreviewReaders,
  secretsGet,
  secretsUpdate,
  secretsDelete,
  secretsRollback,
  secretsRestore,
  secretsListDeleted,
  vaultGet,
  servingSet,
  revisionsList,
  revisionsRestore,
  environmentsList,
  environmentsSet,
  rotationStart,
  keysList,
  keysGet,
  keysCreate,
  keysUpdate,
  keysRevoke,
  notificationsTest,
  sessionGet,
  operatorsList,
  operatorsInvite,
  operatorsUpdate,
  auditList,
  notFound,
] satisfies readonly { readonly id: OperationId }[];

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = (DEFINED as readonly Endpoint[]).map(withOperator);
