import type * as z from 'zod/mini';
import type {
  Envelope,
  PromptRequest,
  PromptResult,
  SecretsRequest,
  SecretsResult,
  ServiceErrorCode,
} from '../../../clients/typescript/src/index.ts';
import type { ResultOf } from '../../../contract/documentation.ts';
import { isRead } from '../../../contract/endpoint.ts';
import type { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import type { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import type { Envelope as ContractEnvelope } from '../../../contract/http/errors.ts';
import { errorsOf } from '../../../contract/http/openapi.ts';

type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;
type Assignable<A, B> = [A] extends [B] ? true : false;
/** Mutually assignable, with the same properties. */
type Same<A, B> = Assignable<Immutable<A>, Immutable<B>> &
  Assignable<Immutable<B>, Immutable<A>> &
  Assignable<keyof A, keyof B> &
  Assignable<keyof B, keyof A>;

/** The package also accepts objects whose type is an interface, which has no index signature. */
type WithObjects<T> = {
  [K in keyof T]: K extends 'variables' | 'metaProperties' ? object | undefined : T[K];
};

type PromptEndpoint = typeof promptGetCompiled;
type SecretsEndpoint = typeof vaultGetSecrets;

// The compiler checks these: the package has its own types because it cannot import the contract.
const SAME: {
  readonly promptRequest: Same<
    WithObjects<PromptRequest>,
    WithObjects<Omit<z.input<PromptEndpoint['body']>, 'id'>>
  >;
  readonly promptResult: Same<PromptResult, ResultOf<'prompt-get-compiled'>>;
  readonly secretsRequest: Same<
    SecretsRequest,
    Omit<z.input<SecretsEndpoint['body']>, 'nonEmpty' | 'source' | 'metaProperties'>
  >;
  readonly secretsResult: Same<SecretsResult, ResultOf<'vault-get-secrets'>>;
  readonly envelope: Same<Envelope<string>, ContractEnvelope<string>>;
} = { promptRequest: true, promptResult: true, secretsRequest: true, secretsResult: true, envelope: true };

const CODES: Record<ServiceErrorCode, true> = {
  invalid_json: true,
  invalid_request: true,
  missing_variables: true,
  invalid_variables: true,
  token_too_large: true,
  unauthenticated: true,
  unknown_signing_key: true,
  forbidden: true,
  address_not_allowed: true,
  vault_stopped: true,
  route_not_found: true,
  method_not_allowed: true,
  prompt_not_found: true,
  version_not_found: true,
  label_not_found: true,
  secret_not_found: true,
  body_too_large: true,
  reply_too_large: true,
  rate_limited: true,
  internal: true,
  integrity: true,
  unavailable: true,
  timeout: true,
};

test('the request and result types match the contract', () => {
  expect(Object.values(SAME)).not.toContain(false);
});

test('the error codes are those that the endpoints for applications can return', () => {
  const forApplications = ENDPOINTS.filter(
    (endpoint) => isRead(endpoint) || endpoint.access.kind === 'public',
  );
  const codes = new Set(forApplications.flatMap((endpoint) => errorsOf(endpoint)));
  expect(Object.keys(CODES).sort()).toEqual([...codes].sort());
});
