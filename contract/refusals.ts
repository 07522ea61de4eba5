import type { ErrorCode } from './errors.ts';

/**
 * Why calls with an API key are refused: the dimension `Reason` of the metric `RefusedCalls`. Each reason names the code
 * that the caller gets, which says less: a key that must not see something is told that it does not exist.
 */
export const REFUSALS = {
  /** There is no key in the request, or it has not the form or checksum of one. */
  malformed_key: 'unauthenticated',
  /** No key has this id. */
  unknown_key: 'unauthenticated',
  /** The id is that of a key, the rest is not. */
  wrong_secret: 'unauthenticated',
  expired: 'unauthenticated',
  revoked: 'unauthenticated',
  permission: 'forbidden',
  address: 'address_not_allowed',
  /** The key asks by name for a secret that its tags do not let it see, if there is one. */
  tags: 'secret_not_found',
  /** The key asks for a prompt that it is not limited to, if there is one. */
  prompts: 'prompt_not_found',
} as const satisfies Record<string, ErrorCode>;

export type RefusalReason = keyof typeof REFUSALS;

/** The metric of refused calls, with the dimensions `Stage` and `Reason`. */
export const REFUSED_CALLS = 'RefusedCalls';
