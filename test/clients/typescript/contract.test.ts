import type * as z from 'zod/mini';
import type {
  PromptRequest,
  PromptResult,
  SecretsRequest,
  SecretsResult,
} from '../../../clients/typescript/src/index.ts';
import type { ResultOf } from '../../../contract/documentation.ts';
import type { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import type { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';

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

// The compiler checks these: the package has its own types of requests, because those of the contract need zod.
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
} = { promptRequest: true, promptResult: true, secretsRequest: true, secretsResult: true };

test('the request and result types match the contract', () => {
  expect(Object.values(SAME)).not.toContain(false);
});
