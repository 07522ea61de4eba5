import type { Endpoint } from './endpoint.ts';
import { accessesList } from './endpoints/accesses-list.ts';
import { auditList } from './endpoints/audit-list.ts';
import { draftsDelete } from './endpoints/drafts-delete.ts';
import { draftsSave } from './endpoints/drafts-save.ts';
import { keysCreate } from './endpoints/keys-create.ts';
import { keysList } from './endpoints/keys-list.ts';
import { keysRevoke } from './endpoints/keys-revoke.ts';
import { labelsRemove } from './endpoints/labels-remove.ts';
import { labelsSet } from './endpoints/labels-set.ts';
import { notFound } from './endpoints/not-found.ts';
import { overviewGet } from './endpoints/overview-get.ts';
import { promptGetCompiled } from './endpoints/prompt-get-compiled.ts';
import { promptsCreate } from './endpoints/prompts-create.ts';
import { promptsDelete } from './endpoints/prompts-delete.ts';
import { promptsGet } from './endpoints/prompts-get.ts';
import { promptsList } from './endpoints/prompts-list.ts';
import { promptsListDeleted } from './endpoints/prompts-list-deleted.ts';
import { promptsRestore } from './endpoints/prompts-restore.ts';
import { secretsCreate } from './endpoints/secrets-create.ts';
import { secretsDelete } from './endpoints/secrets-delete.ts';
import { secretsGet } from './endpoints/secrets-get.ts';
import { secretsImport } from './endpoints/secrets-import.ts';
import { secretsList } from './endpoints/secrets-list.ts';
import { secretsListDeleted } from './endpoints/secrets-list-deleted.ts';
import { secretsRestore } from './endpoints/secrets-restore.ts';
import { secretsRollback } from './endpoints/secrets-rollback.ts';
import { secretsUpdate } from './endpoints/secrets-update.ts';
import { usageGet } from './endpoints/usage-get.ts';
import { vaultGetSecrets } from './endpoints/vault-get-secrets.ts';
import { versionsDelete } from './endpoints/versions-delete.ts';
import { versionsGet } from './endpoints/versions-get.ts';
import { versionsList } from './endpoints/versions-list.ts';
import { versionsPublish } from './endpoints/versions-publish.ts';

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = [
  promptGetCompiled,
  vaultGetSecrets,
  overviewGet,
  promptsList,
  promptsCreate,
  promptsGet,
  promptsDelete,
  promptsRestore,
  promptsListDeleted,
  versionsList,
  versionsPublish,
  versionsGet,
  versionsDelete,
  draftsSave,
  draftsDelete,
  labelsSet,
  labelsRemove,
  accessesList,
  usageGet,
  secretsList,
  secretsCreate,
  secretsImport,
  secretsGet,
  secretsUpdate,
  secretsDelete,
  secretsRollback,
  secretsRestore,
  secretsListDeleted,
  keysList,
  keysCreate,
  keysRevoke,
  auditList,
  notFound,
];
