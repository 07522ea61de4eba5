// Tokens of other issuers as credentials of trusts.

/** A value that a claim must have. Types are compared strictly. */
export type ClaimValue = string | number | boolean;

/** The claims that a token must have, by JSON Pointer (RFC 6901): one of the values of each. */
export type Match = Readonly<Record<string, readonly ClaimValue[]>>;

/** The public part of a key that signs tokens, with the one algorithm that its type allows. */
export type SigningJwk = Readonly<Record<string, string>> & {
  readonly kid: string;
  readonly kty: 'RSA' | 'EC';
  readonly alg: 'RS256' | 'ES256' | 'ES384';
};

// These issuers serve everybody. Of each list, `match` must name one: without it, strangers would match too.
const SHARED_ISSUERS = [
  {
    issuer: 'https://token.actions.githubusercontent.com',
    identity: [['/repository_owner_id', '/repository_id']],
  },
  { issuer: 'https://gitlab.com', identity: [['/project_id', '/namespace_id']] },
  { issuer: 'https://oidc.vercel.com', identity: [['/owner_id'], ['/project_id']] },
] as const;

/** The claims that say whose token it is: `match` must name one of each list. */
export const identityClaims = (issuer: string): readonly (readonly string[])[] =>
  SHARED_ISSUERS.find((shared) => issuer === shared.issuer || issuer.startsWith(`${shared.issuer}/`))
    ?.identity ?? [['/sub']];

/** Whether a claim says whose token it is. */
export const isIdentityClaim = (issuer: string, pointer: string): boolean =>
  identityClaims(issuer).some((claims) => claims.includes(pointer));

/** The audience of the tokens of a trust. A token for it serves no other trust, and no other service. */
export const audienceOf = (stage: string, keyId: string): string => `cuevault:${stage}:${keyId}`;
