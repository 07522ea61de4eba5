export type { CallOptions } from './cache/loader.ts';
export { type CacheOptions, Cuevault, type CuevaultOptions } from './client.ts';
export type { TokenProvider } from './credential.ts';
export {
  AuthenticationError,
  type ClientErrorCode,
  CuevaultError,
  CuevaultTimeoutError,
  type ErrorCode,
  InvalidRequestError,
  MissingVariablesError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitedError,
  type ServiceErrorCode,
  UnavailableError,
} from './errors.ts';
export type { CuevaultEvent } from './events.ts';
export {
  type GetPromptHelperOptions,
  type GetSecretsOptions,
  getPrompt,
  getSecrets,
  type SecretsEnvelope,
} from './helpers.ts';
export type { Fetch, TransportOptions } from './http/transport.ts';
export type { Placeholders } from './prompts/chat.ts';
export type { Prompt, PromptSource } from './prompts/prompt.ts';
export type { CompiledPrompt, GetPromptOptions, Prompts } from './prompts/prompts.ts';
export { compileTemplate, type Strict } from './prompts/templates.ts';
export type { PromptName, PromptTypes } from './prompts/types.ts';
export {
  type ApplyOptions,
  type GetSecretOptions,
  type OfflineCopy,
  type OfflineOwner,
  originOf,
  type SecretSource,
  type Secrets,
} from './secrets/secrets.ts';
export { VERSION } from './version.ts';
export type {
  Envelope,
  JsonObject,
  PromptMessage,
  PromptRequest,
  PromptResult,
  PromptTool,
  SecretsRequest,
  SecretsResult,
  VariableDeclaration,
} from './wire.ts';
