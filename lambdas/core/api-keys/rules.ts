import type { Permission } from '../../../contract/endpoint.ts';
import { matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import { REFUSALS, type RefusalReason } from '../../../contract/http/errors.ts';
import { CuevaultError } from '../errors.ts';
import { addressAllowed } from './addresses.ts';
import { matchesHash } from './api-keys.ts';

/** The record of a key, without the key itself. Times are ISO 8601 in UTC. */
export interface ApiKey {
  readonly keyId: string;
  /** SHA-256 of the key; empty once it is revoked. */
  readonly hash: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The key sees only secrets that have all of these tags; empty: every secret. */
  readonly tags: readonly string[];
  /** Names of prompts, or prefixes followed by `*`: the key sees only these prompts; empty: every prompt. */
  readonly prompts: readonly string[];
  /** Source addresses that may use the key; empty: any. */
  readonly cidrs: readonly string[];
  /** The labels that a key which publishes may set, move and remove, unless they are protected. */
  readonly labels?: readonly string[] | undefined;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string | undefined;
  /** Id of the key that it replaces. */
  readonly replaces?: string | undefined;
  /** Increases with every change except revocation. */
  readonly rev: number;
  readonly revokedAt?: string | undefined;
  readonly revokedBy?: string | undefined;
}

/**
 * Awaits the record of a call's key, then what was started in parallel. A refusal of the key takes precedence over any
 * failure of the latter. Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, and those of `begun`.
 */
export type Admitted = <T>(begun: Promise<T>) => Promise<[ApiKey, T]>;

export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/** The status of a key at a time. */
export const statusOf = (
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: Date,
): ApiKeyStatus => {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active';
};

/** Whether a key may see the prompt with this name. */
export const maySeePrompt = ({ prompts }: Pick<ApiKey, 'prompts'>, name: string): boolean =>
  matchesPromptPatterns(prompts, name);

/** A call refused because of its API key: the error for the caller, and the reason, which only operators see. */
export class RefusedCall extends CuevaultError {
  readonly reason: RefusalReason;
  /** The key with the id in the call, if it exists. */
  readonly apiKey: ApiKey | undefined;

  constructor(reason: RefusalReason, sentence: string, apiKey?: ApiKey) {
    super(REFUSALS[reason], sentence);
    this.name = 'RefusedCall';
    this.reason = reason;
    this.apiKey = apiKey;
  }
}

// One message for missing, malformed, unknown, expired and revoked keys: callers must not learn which it is.
/** The refusal of a call without a valid key. */
export const unauthenticated = (reason: RefusalReason, apiKey?: ApiKey) =>
  new RefusedCall(
    reason,
    'A valid API key is required: send the header "Authorization: Bearer <API key>" with a key that is neither expired nor revoked.',
    apiKey,
  );

/**
 * Checks that the record of a key admits a call from this address with this permission, or one of
 * these; returns the record. Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, each a `RefusedCall`.
 */
export const admit = (
  found: ApiKey | undefined,
  apiKey: string,
  permission: Permission | readonly Permission[],
  sourceIp: string,
  now: Date,
): ApiKey => {
  if (found === undefined) throw unauthenticated('unknown_key');
  // Before the hash, which a revoked key no longer has.
  if (found.revokedAt !== undefined) throw unauthenticated('revoked', found);
  if (!matchesHash(apiKey, found.hash)) throw unauthenticated('wrong_secret', found);
  const status = statusOf(found, now);
  if (status !== 'active') throw unauthenticated(status, found);
  const required = [permission].flat();
  if (!required.some((each) => found.permissions.includes(each))) {
    const named = required.map((each) => `"${each}"`).join(' or ');
    throw new RefusedCall('permission', `This API key lacks the permission ${named}.`, found);
  }
  if (found.cidrs.length > 0 && !addressAllowed(sourceIp, found.cidrs)) {
    throw new RefusedCall('address', 'This API key may not be used from this address.', found);
  }
  return found;
};
