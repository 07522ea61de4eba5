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
  token_too_large: 400,
  environment_required: 400,
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
  environment_not_found: 404,
  secret_not_found: 404,
  value_not_found: 404,
  api_key_not_found: 404,
  operator_not_found: 404,
  method_not_allowed: 405,
  name_taken: 409,
  restorable: 409,
  type_changed: 409,
  breaking_change: 409,
  version_taken: 409,
  version_labelled: 409,
  last_version: 409,
  secret_key_taken: 409,
  environment_not_empty: 409,
  operator_exists: 409,
  changed_meanwhile: 409,
  in_use: 409,
  rotated_recently: 409,
  too_many_restricted_keys: 409,
  too_many_prompts: 409,
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

/** The envelope of every reply. On success `err` is null; on failure `err` is one clear sentence and `res` is null. */
export type Envelope<Result> =
  | { readonly err: null; readonly res: Result }
  | { readonly err: string; readonly res: null };

/** Custom response headers. */
export const HEADERS = {
  error: 'cuevault-error',
  requestId: 'cuevault-request-id',
  /** Fields of the body that mean nothing, percent-encoded: at most five names of at most 64 bytes, never a value. */
  ignored: 'cuevault-ignored',
} as const;

/**
 * Why calls with an API key are refused: the dimension `Reason` of the metric `RefusedCalls`. The caller gets only the
 * code, which reveals less: for a key, what it must not see does not exist.
 */
export const REFUSALS = {
  /** The request has no key, or a malformed one. */
  malformed_key: 'unauthenticated',
  /** No key has this id. */
  unknown_key: 'unauthenticated',
  /** A key has this id, but its secret part differs. */
  wrong_secret: 'unauthenticated',
  /** A token that is not one of its trust: issuer, audience, signature, time, or whose it is. */
  wrong_token: 'unauthenticated',
  /** A token of whoever the trust names, with another value of a further claim. */
  claims: 'unauthenticated',
  /** The issuer of the trust has no key with the id in the token, or has just made it. */
  signing_key: 'unauthenticated',
  expired: 'unauthenticated',
  revoked: 'unauthenticated',
  permission: 'forbidden',
  address: 'address_not_allowed',
  /** The key asks by name for a secret outside its tags, whether or not the secret exists. */
  tags: 'secret_not_found',
  /** The key asks for an environment that it may not read, whether or not it exists. */
  environment: 'environment_not_found',
  /** The key asks for a prompt outside its restriction, whether or not the prompt exists. */
  prompts: 'prompt_not_found',
  /** The key publishes a prompt outside its restriction, whether or not the prompt exists. */
  publish: 'forbidden',
  /** The key moves a label that it is not given. */
  label: 'forbidden',
  /** The key changes a label that only administrators may change. */
  protected_label: 'label_protected',
  /** The key has made more calls from code in ten seconds than its rate allows. */
  rate: 'rate_limited',
  /** The key publishes a content that includes a prompt outside its restriction, whether or not the prompt exists. */
  include: 'invalid_request',
  /** An administrator has stopped serving secrets. */
  stopped: 'vault_stopped',
} as const satisfies Record<string, ErrorCode>;

export type RefusalReason = keyof typeof REFUSALS;

/** Whether a call had no valid key (401), was one too many (429), or exceeds the permissions of its key (403). */
export const refusalGroup = (reason: RefusalReason): '401' | '403' | '429' => {
  const code: ErrorCode = REFUSALS[reason];
  return code === 'unauthenticated' ? '401' : code === 'rate_limited' ? '429' : '403';
};

/** The namespace of Cuevault's metrics. */
export const METRICS = 'Cuevault';

/** The metric of questions who has a value that no stored value equals. */
export const UNKNOWN_VALUES = 'UnknownValues';

/** The metric of refused calls, with the dimensions `Stage` and `Reason`, and once more with `Stage` and `Group`. */
export const REFUSED_CALLS = 'RefusedCalls';
