import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { Permission } from '../../../contract/fields/access.ts';
import type { KeyLimits } from '../../../contract/fields/key-limits.ts';
import { matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import { REFUSALS, type RefusalReason } from '../../../contract/http/errors.ts';
import type { Match, SigningJwk } from '../../../contract/issuers.ts';
import type { keyShape } from '../../../contract/shapes/keys.ts';
import { CuevaultError } from '../errors.ts';
import { addressAllowed } from './addresses.ts';

/** What lists add, or show in another form. */
type Shown = 'kind' | 'match' | 'jwks' | 'audience' | 'status';

/** The record of a key, without the key itself: who may use it, and its limits. Times are ISO 8601 in UTC. */
export interface ApiKey extends KeyLimits, Omit<ReplyOf<typeof keyShape>, keyof KeyLimits | Shown> {
  /** SHA-256 of the key; empty once it is revoked, and for a trust. */
  readonly hash: string;
  readonly match?: Match | undefined;
  readonly jwks?: readonly SigningJwk[] | undefined;
  /** Increases with every change except revocation. */
  readonly rev: number;
}

/**
 * Awaits the record of a call's key, then what was started in parallel. A refusal of the key takes precedence over any
 * failure of the latter.
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

/** A claim that differs from what a trust demands, as JSON. */
export interface RefusedClaim {
  readonly pointer: string;
  readonly wanted: string;
  readonly got: string;
}

/** A call refused because of its API key: the error for the caller, and the reason, which only operators see. */
export class RefusedCall extends CuevaultError {
  readonly reason: RefusalReason;
  /** The key with the id in the call, if it exists. */
  readonly apiKey: ApiKey | undefined;
  readonly claim: RefusedClaim | undefined;

  constructor(
    reason: RefusalReason,
    sentence: string,
    apiKey?: ApiKey,
    {
      claim,
      ...options
    }: { claim?: RefusedClaim | undefined; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(REFUSALS[reason], sentence, options);
    this.name = 'RefusedCall';
    this.reason = reason;
    this.apiKey = apiKey;
    this.claim = claim;
  }
}

// One message for missing, malformed, unknown, expired and revoked keys: callers must not learn which it is.
/** The refusal of a call without a valid key. */
export const unauthenticated = (reason: RefusalReason, apiKey?: ApiKey, claim?: RefusedClaim) =>
  new RefusedCall(
    reason,
    'A valid API key is required: send the header "Authorization: Bearer <API key>" with a key that is neither expired nor revoked, or with a token of a trust.',
    apiKey,
    { claim },
  );

/**
 * Checks that a key whose bearer has proven it admits a call from this address with this permission, or one of these;
 * returns it.
 */
export const admit = (
  found: ApiKey,
  permission: Permission | readonly Permission[],
  sourceIp: string,
  now: Date,
): ApiKey => {
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
