/**
 * The closed list of error codes (header `cuevault-error`) and the HTTP status each one answers with.
 * `docs/errors.md` has one row per code.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  missing_variables: 400,
  invalid_variables: 400,
  invalid_env: 400,
  unauthenticated: 401,
  forbidden: 403,
  address_not_allowed: 403,
  label_protected: 403,
  would_widen_access: 403,
  vault_stopped: 403,
  route_not_found: 404,
  prompt_not_found: 404,
  version_not_found: 404,
  label_not_found: 404,
  draft_not_found: 404,
  secret_not_found: 404,
  value_not_found: 404,
  api_key_not_found: 404,
  operator_not_found: 404,
  method_not_allowed: 405,
  name_taken: 409,
  type_changed: 409,
  breaking_change: 409,
  version_taken: 409,
  version_labelled: 409,
  last_version: 409,
  secret_key_taken: 409,
  operator_exists: 409,
  changed_meanwhile: 409,
  in_use: 409,
  rotated_recently: 409,
  too_many_restricted_keys: 409,
  not_deleted: 409,
  body_too_large: 413,
  reply_too_large: 413,
  vault_full: 413,
  rate_limited: 429,
  internal: 500,
  integrity: 500,
  unavailable: 503,
  timeout: 503,
} as const satisfies Record<string, 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Codes that no function returns; clients derive them from the gateway's own errors. */
export const GATEWAY_CODES = ['rate_limited'] as const satisfies readonly ErrorCode[];
