export { type CacheOptions, Cuevault, type CuevaultOptions } from './client.ts';
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
export { type GetPromptHelperOptions, type GetSecretsOptions, getPrompt, getSecrets } from './helpers.ts';
export type { Prompt, PromptSource } from './prompt.ts';
export type { CompiledPrompt, GetPromptOptions, Prompts } from './prompts.ts';
export type { OfflineCopy, OfflineOwner, Secrets, Warning } from './secrets.ts';
export { compile } from './templates.ts';
export type { Fetch, TransportOptions } from './transport.ts';
export { VERSION } from './version.ts';
export type {
  Envelope,
  JsonObject,
  PromptRequest,
  PromptResult,
  SecretsRequest,
  SecretsResult,
} from './wire.ts';
