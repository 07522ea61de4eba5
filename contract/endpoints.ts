import type { OperationId } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import * as apiKeys from './endpoints/api-keys.ts';
import * as labels from './endpoints/labels.ts';
import { promptGetCompiled } from './endpoints/prompts/prompt-get-compiled.ts';
import { promptGetLangfuse } from './endpoints/prompts/prompt-get-langfuse.ts';
import * as prompts from './endpoints/prompts.ts';
import * as publishing from './endpoints/publishing.ts';
import { vaultGetSecrets } from './endpoints/secrets/vault-get-secrets.ts';
import * as secrets from './endpoints/secrets.ts';
import * as service from './endpoints/service.ts';
import * as usage from './endpoints/usage.ts';
import * as vault from './endpoints/vault.ts';
import * as versions from './endpoints/versions.ts';
import type { Grant } from './functions/grants.ts';
import { onTable } from './table.ts';

const inBatches = (grant: Grant): Grant =>
  grant.on === 'table'
    ? { ...grant, actions: grant.actions.map((action) => (action === 'GetItem' ? 'BatchGetItem' : action)) }
    : grant;

/** An endpoint for operators reads the row of its caller, which says what they may do. */
const withOperator = (definition: Endpoint): Endpoint => {
  const { access, grants, batched } = definition;
  if (access.kind !== 'operator') return definition;
  const all = [onTable('GetItem', 'operator'), ...grants];
  return { ...definition, grants: batched ? all.map(inBatches) : all };
};

const DEFINED = [
  ...[promptGetCompiled, promptGetLangfuse, vaultGetSecrets],
  ...[publishing, prompts, apiKeys, labels, secrets, service, usage, vault, versions].flatMap((resource) =>
    Object.values(resource),
  ),
] satisfies readonly { readonly id: OperationId }[];

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = (DEFINED as readonly Endpoint[]).map(withOperator);
