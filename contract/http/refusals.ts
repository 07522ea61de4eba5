import type { ErrorCode } from './errors.ts';

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
  expired: 'unauthenticated',
  revoked: 'unauthenticated',
  permission: 'forbidden',
  address: 'address_not_allowed',
  /** The key asks by name for a secret outside its tags, whether or not the secret exists. */
  tags: 'secret_not_found',
  /** The key asks for a prompt outside its restriction, whether or not the prompt exists. */
  prompts: 'prompt_not_found',
  /** The key publishes a prompt outside its restriction, whether or not the prompt exists. */
  publish: 'forbidden',
  /** The key moves a label that it is not given. */
  label: 'forbidden',
  /** An administrator has stopped serving secrets. */
  stopped: 'vault_stopped',
} as const satisfies Record<string, ErrorCode>;

export type RefusalReason = keyof typeof REFUSALS;

/** The metric of refused calls, with the dimensions `Stage` and `Reason`. */
export const REFUSED_CALLS = 'RefusedCalls';
