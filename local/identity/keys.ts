import { generateKeyPair, type JsonWebKey, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Handler } from './sign-in.ts';

const RSA_BITS = 2048;

const generate = async (): Promise<JWK> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const { kty, n, e, d, p, q, dp, dq, qi }: JsonWebKey = privateKey.export({ format: 'jwk' });
  return { kty, n, e, d, p, q, dp, dq, qi, kid: randomUUID(), use: 'sig', alg: 'RS256' } as JWK;
};

/** The key that signs tokens - of operators, or of workloads -, including the private part. The first call creates it. */
export const signingKey = async (
  database: DatabaseSync,
  table: 'signing_keys' | 'workload_keys' = 'signing_keys',
): Promise<JWK> => {
  const stored = database.prepare(`SELECT jwk FROM ${table}`).get();
  if (stored !== undefined) return JSON.parse(String(stored.jwk)) as JWK;
  const jwk = await generate();
  database.prepare(`INSERT INTO ${table} (kid, jwk) VALUES (?, ?)`).run(String(jwk.kid), JSON.stringify(jwk));
  return jwk;
};

export const publicPart = ({ kty, n, e, kid, use, alg }: JWK): JWK => ({ kty, n, e, kid, use, alg }) as JWK;

const PATH = '/oidc/workloads';
const MINUTES = 15;

/** The issuer of workloads' tokens on a laptop: it has a key of its own, apart from the operators' tokens. */
export const workloadIssuer = (port: number): string => `http://127.0.0.1:${port}${PATH}`;

/** Answers requests for the discovery document and the public key of the issuer; undefined for any other request. */
export const answerWorkloads = (url: string, issuer: string, key: JWK): Handler | undefined => {
  const keys = `${PATH}/keys`;
  const documents: Readonly<Record<string, object>> = {
    [`${PATH}/.well-known/openid-configuration`]: { issuer, jwks_uri: new URL(keys, issuer).href },
    [keys]: { keys: [publicPart(key)] },
  };
  const document = documents[url];
  if (document === undefined) return undefined;
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  };
};

/** The key that signs tokens of workloads. */
export const workloadKey = (database: DatabaseSync): Promise<JWK> => signingKey(database, 'workload_keys');

/** A token of an issuer for 15 minutes, some of its claims replaced. */
export const signToken = async (key: JWK, issuer: string, claims: JWTPayload): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iss: issuer, iat: now, exp: now + MINUTES * 60, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: String(key.kid) })
    .sign(await importJWK(key, 'RS256'));
};
