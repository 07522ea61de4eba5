import type { OperationId } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import * as apiKeys from './endpoints/api-keys.ts';
import * as labels from './endpoints/labels.ts';
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
import { vaultGetSecrets } from './endpoints/secrets/vault-get-secrets.ts';
import * as secrets from './endpoints/secrets.ts';
import * as service from './endpoints/service.ts';
import * as usage from './endpoints/usage.ts';
import * as vault from './endpoints/vault.ts';
import * as versions from './endpoints/versions.ts';
import type { Grant } from './functions/grants.ts';

const isChange = (grant: Grant): boolean => grant.on === 'table' && grant.partitions.includes('auditChange');

const inBatches = (grant: Grant): Grant =>
  grant.on === 'table'
    ? { ...grant, actions: grant.actions.map((action) => (action === 'GetItem' ? 'BatchGetItem' : action)) }
    : grant;

/**
 * An endpoint for operators reads the row of its caller, which says what they may do. A change that only administrators
 * may make also requires in its transaction that the row is unchanged.
 */
const withOperator = (definition: Endpoint): Endpoint => {
  const { access, grants, batched } = definition;
  if (access.kind !== 'operator') return definition;
  const checks = access.role === 'admin' && grants.some(isChange);
  const actions = checks ? (['GetItem', 'ConditionCheckItem'] as const) : (['GetItem'] as const);
  const all: readonly Grant[] = [{ on: 'table', actions, partitions: ['operator'] }, ...grants];
  return { ...definition, grants: batched ? all.map(inBatches) : all };
};

const DEFINED = [
  promptGetCompiled,
  promptGetLangfuse,
  vaultGetSecrets,
  promptPublish,
  promptMoveLabels,
  promptList,
  promptSource,
  promptsList,
  promptsCreate,
  promptsGet,
  promptsDelete,
  promptsDeleteSeveral,
  promptsRestore,
  promptsListDeleted,
  examplesSave,
  eventsList,
  ...[apiKeys, labels, secrets, service, usage, vault, versions].flatMap((resource) =>
    Object.values(resource),
  ),
] satisfies readonly { readonly id: OperationId }[];

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = (DEFINED as readonly Endpoint[]).map(withOperator);
