import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string;
  /** The client of people of the company. @default - there is none */
  readonly companyAudience?: string;
  /** The public keys of the issuer. */
  readonly keys: JSONWebKeySet;
}

/** What API Gateway passes to a function about an accepted token. */
export interface JwtContext {
  readonly claims: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
}

/** `claims` are those of the token, before they become text. */
export type Judgement =
  | { readonly refused: 401 | 403 }
  | { readonly jwt: JwtContext; readonly claims: JWTPayload };

export type JwtAuthorizer = (authorization: string | undefined, requiredScope: string) => Promise<Judgement>;

// API Gateway turns every claim into text: an array becomes its elements, separated by spaces, in brackets.
const claimText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(claimText).join(' ')}]`
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value);

const contextOf = (payload: JWTPayload): JwtContext => ({
  claims: Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, claimText(value)])),
  scopes: typeof payload.scope === 'string' ? payload.scope.split(' ').filter((scope) => scope !== '') : [],
});

// The audience counts if the token has one, and the client id otherwise.
const isFor = ({ aud, client_id }: JWTPayload, audiences: readonly (string | undefined)[]): boolean =>
  [aud ?? client_id].flat().some((each) => typeof each === 'string' && audiences.includes(each));

/**
 * Checks a bearer token as the JWT authorizer of an HTTP API does: signature (RS256) by one of the issuer's keys,
 * issuer, audience or client, times. 401 if one of these fails, 403 if the scope is missing. Source: Amazon API
 * Gateway Developer Guide, "Control access to HTTP APIs with JWT authorizers".
 */
export const createJwtAuthorizer = ({
  issuer,
  audience,
  companyAudience,
  keys,
}: JwtSettings): JwtAuthorizer => {
  const keySet = createLocalJWKSet(keys);
  const payloadOf = async (token: string): Promise<JWTPayload | undefined> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keySet, {
        issuer,
        algorithms: ['RS256'],
        requiredClaims: ['exp'],
      });
      const inFuture = (payload.iat ?? 0) > Date.now() / 1_000;
      const valid =
        protectedHeader.kid !== undefined && !inFuture && isFor(payload, [audience, companyAudience]);
      return valid ? payload : undefined;
    } catch {
      return undefined;
    }
  };
  return async (authorization = '', requiredScope) => {
    const payload = await payloadOf(authorization.replace(/^Bearer /i, ''));
    if (payload === undefined) return { refused: 401 };
    const jwt = contextOf(payload);
    return jwt.scopes.includes(requiredScope) ? { jwt, claims: payload } : { refused: 403 };
  };
};
