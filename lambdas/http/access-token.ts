import { get as getOverHttp } from 'node:http';
import { get } from 'node:https';
import { arrayBuffer } from 'node:stream/consumers';
import { JwtVerifier } from 'aws-jwt-verify';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { ADMIN_SCOPE, OPERATOR_CLAIM } from '../../contract/sign-in.ts';
import { CuevaultError } from '../core/errors.ts';
import type { Claims } from '../core/operators.ts';

const WRONG_SIGN_IN =
  'You are not an operator who signs in this way. Sign out, and sign in the way that you were invited for, or ask an administrator to invite or confirm you.';
const TIMEOUT_MS = 3_000;
// The authorizer of the API has already been strict about the time, by another clock.
const GRACE_SECONDS = 30;

// Not `fetch`: loading it takes 40 ms of processor time, and the AWS SDK has loaded these modules already. HTTP is for
// the identity provider of a laptop.
const read = (address: string): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    const send = address.startsWith('https:') ? get : getOverHttp;
    send(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      if (response.statusCode === 200) arrayBuffer(response).then(resolve, reject);
      else reject(new Error(`The issuer of access tokens answered with ${response.statusCode}.`));
    }).on('error', reject);
  });

const fetchKeys = async (address: string): Promise<ArrayBuffer> => {
  try {
    return await read(address);
  } catch (cause) {
    throw new CuevaultError('unavailable', 'Access tokens cannot be verified right now. Try again shortly.', {
      cause,
    });
  }
};

/** Who issues access tokens, to whom, and the address of the public keys that verify them (a JWK set). */
export interface TokenSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** The client of people of the company, whose tokens name their operator. @default - there is none */
  readonly companyClientId?: string | undefined;
  readonly keys: string;
}

/**
 * Returns a function that verifies the access token in an `Authorization` header - signature, issuer, client, times,
 * scope - and returns its claims. Keys are fetched at the first call, and again only when a token names an unknown one.
 */
export const createTokenVerifier = ({ issuer, clientId, companyClientId, keys }: TokenSettings) => {
  const verifier = JwtVerifier.create(
    // Cognito's access tokens have a client and no audience.
    { issuer, audience: null, scope: ADMIN_SCOPE, graceSeconds: GRACE_SECONDS, jwksUri: keys },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return async (authorization = ''): Promise<Claims> => {
    try {
      const claims = await verifier.verify(authorization.replace(/^Bearer /i, ''));
      // The sign-in page of the user pool serves both clients, whoever has signed in there.
      const client = claims[OPERATOR_CLAIM] === undefined ? clientId : companyClientId;
      if (client !== undefined && claims.client_id === client) return claims;
      if (claims.client_id !== undefined && [clientId, companyClientId].includes(String(claims.client_id)))
        throw new CuevaultError('forbidden', WRONG_SIGN_IN);
    } catch (error) {
      if (!(error instanceof JwtBaseError)) throw error;
    }
    throw new CuevaultError('forbidden', 'A valid access token of an operator is required.');
  };
};

const setting = (name: string) => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
};

const verifiers = new Map<string, ReturnType<typeof createTokenVerifier>>();

/** The same with the settings of this function. */
export const verifyAccessToken = (authorization: string | undefined): Promise<Claims> => {
  const issuer = setting(ENVIRONMENT.tokenIssuer);
  const verify =
    verifiers.get(issuer) ??
    createTokenVerifier({
      issuer,
      clientId: setting(ENVIRONMENT.tokenClient),
      companyClientId: process.env[ENVIRONMENT.companyClient],
      keys: setting(ENVIRONMENT.tokenKeys),
    });
  verifiers.set(issuer, verify);
  return verify(authorization);
};
