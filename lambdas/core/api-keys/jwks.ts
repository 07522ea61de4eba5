import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isObject } from '../../../contract/fields/patterns.ts';
import type { SigningJwk } from '../../../contract/issuers.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { invalidRequest } from '../errors.ts';

const BITS = { least: 2_048, most: 8_192 } as const;
const KID_CHARACTERS = 256;
const CURVES: Readonly<Record<string, SigningJwk['alg']>> = { 'P-256': 'ES256', 'P-384': 'ES384' };

// The type of a key decides its algorithm, never a token: some issuers give none.
const algorithmOf = ({ kty, crv }: JsonWebKey): SigningJwk['alg'] | undefined =>
  kty === 'RSA' ? 'RS256' : kty === 'EC' ? CURVES[String(crv)] : undefined;

// With the exponent 1, a signature is its own message: anybody makes it.
const isStrong = ({ asymmetricKeyDetails = {}, asymmetricKeyType }: KeyObject) => {
  const { modulusLength: bits = 0, publicExponent = 0n } = asymmetricKeyDetails;
  return (
    asymmetricKeyType === 'ec' ||
    (bits >= BITS.least && bits <= BITS.most && publicExponent >= 65_537n && publicExponent % 2n === 1n)
  );
};

const PARTS = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'] } as const;

const signingKey = (jwk: unknown): SigningJwk | undefined => {
  if (!isObject(jwk)) return undefined;
  const { kid, kty, use = 'sig' } = jwk;
  const alg = algorithmOf(jwk as JsonWebKey);
  if (alg === undefined || (jwk.alg ?? alg) !== alg || use !== 'sig') return undefined;
  if (typeof kid !== 'string' || kid.length > KID_CHARACTERS) return undefined;
  const parts = PARTS[kty as keyof typeof PARTS].map((name) => [name, String(jwk[name])]);
  const key = { kid, kty, alg, use, ...Object.fromEntries(parts) };
  try {
    return isStrong(createPublicKey({ key, format: 'jwk' })) ? (key as SigningJwk) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The keys of a JWK set that can verify tokens: RSA of 2,048 to 8,192 bits, P-256 and P-384, with a `kid`; any others
 * are left out.
 */
export const signingKeys = (jwks: unknown): readonly SigningJwk[] => {
  const given = isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : [];
  const keys = given.flatMap((jwk) => signingKey(jwk) ?? []);
  if (keys.length === 0)
    throw invalidRequest(
      '"jwks" must be a JWK set with a public key that signs: {"keys": [{"kty": "RSA", "kid": "…", "n": "…", "e": "AQAB"}]}; RSA of 2,048 to 8,192 bits, P-256 or P-384.',
    );
  if (given.length > LIMITS.issuerKeys)
    throw invalidRequest(`"jwks" must contain at most ${LIMITS.issuerKeys} keys.`);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw invalidRequest('"jwks" must not contain two keys of one "kid".');
  return keys;
};
