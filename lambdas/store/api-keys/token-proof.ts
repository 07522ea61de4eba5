import { hash } from 'node:crypto';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import { foreignText } from '../../../contract/content/visible.ts';
import { audienceOf, isIdentityClaim, type Match, type SigningJwk } from '../../../contract/issuers.ts';
import { type ApiKey, unauthenticated } from '../../core/api-keys/rules.ts';
import { createBoundedCache } from '../../core/bounded-cache.ts';
import type { Table } from '../table.ts';
import { issuerKeyOf } from './issuer-keys.ts';

type Claims = Readonly<Record<string, unknown>>;

const DAY_SECONDS = 86_400;
const SKEW_SECONDS = 60;
const VERIFIED_TOKENS = 1_000;

// What remains true of a token while its key is: times and claims are compared at each call.
const verified = createBoundedCache<Claims>(VERIFIED_TOKENS);

const digest = (text: string) => hash('sha256', text, 'base64');

// Nobody but the issuer decides these, so a stranger must not write them into the audit log of a trust.
const wrong = () => unauthenticated('wrong_token');

const parsed = (token: string) => {
  try {
    return decomposeUnverifiedJwt(token);
  } catch (error) {
    throw error instanceof JwtBaseError ? wrong() : error;
  }
};

const isFor = (audience: unknown, { keyId }: ApiKey, { settings }: Table) => {
  const [only, ...others] = [audience].flat();
  return only === audienceOf(settings.stage, keyId) && others.length === 0;
};

const claimsOf = (token: string, jwk: SigningJwk, issuer: string): Claims => {
  const id = digest(token) + digest(JSON.stringify(jwk));
  const known = verified.get(id);
  if (known !== undefined) return known;
  try {
    // It requires the algorithm of the key. Whether the audience is the only one is checked before.
    const claims = verifyJwtSync(token, jwk as never, { issuer, audience: null });
    verified.set(id, claims);
    return claims;
  } catch {
    // Whoever writes the token decides what it throws: Node throws at a signature of another length.
    throw wrong();
  }
};

const isTimely = ({ exp, nbf, iat }: Claims, at: Date) => {
  const now = at.getTime() / 1_000;
  const begins = [nbf, iat].filter((time) => time !== undefined);
  return (
    typeof exp === 'number' &&
    exp > now &&
    exp <= now + DAY_SECONDS &&
    begins.every((time) => typeof time === 'number' && time <= now + SKEW_SECONDS)
  );
};

/** The value of a claim, by JSON Pointer (RFC 6901). Undefined if there is none. */
const claimAt = (claims: Claims, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (outer, name) =>
        typeof outer === 'object' && outer !== null && Object.hasOwn(outer, name)
          ? (outer as Record<string, unknown>)[name]
          : undefined,
      claims,
    );

/** The claims that differ from what a trust demands. */
const mismatches = (claims: Claims, match: Match) =>
  Object.entries(match).flatMap(([pointer, values]) =>
    values.some((value) => value === claimAt(claims, pointer)) ? [] : [pointer],
  );

const shortJson = (value: unknown) => foreignText(JSON.stringify(value) ?? 'absent');

/**
 * Checks that a token proves its bearer to be who a trust names: it is for this trust alone, signed by a key of the
 * issuer, valid now, and has the claims. What `jku`, `x5u` and other headers say is never used.
 */
export const requireToken = async (table: Table, trust: ApiKey, token: string, at: Date): Promise<void> => {
  const { issuer, match, jwks } = trust;
  const { header, payload } = parsed(token);
  if (issuer === undefined || match === undefined || payload.iss !== issuer) throw wrong();
  const { kid, crit } = header as { kid?: string; crit?: unknown };
  if (!isFor(payload.aud, trust, table) || kid === undefined || crit !== undefined) throw wrong();
  const jwk =
    jwks === undefined ? await issuerKeyOf(table, issuer, kid, at) : jwks.find((key) => key.kid === kid);
  if (jwk === undefined) throw unauthenticated('signing_key');
  const claims = claimsOf(token, jwk, issuer);
  if (!isTimely(claims, at)) throw wrong();
  const differing = mismatches(claims, match);
  if (differing.some((pointer) => isIdentityClaim(issuer, pointer))) throw wrong();
  const [pointer] = differing;
  if (pointer === undefined) return;
  const claim = { pointer, wanted: shortJson(match[pointer]), got: shortJson(claimAt(claims, pointer)) };
  throw unauthenticated('claims', trust, claim);
};
