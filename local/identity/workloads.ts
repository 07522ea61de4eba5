import type { DatabaseSync } from 'node:sqlite';
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { publicPart, signingKey } from './keys.ts';
import type { Handler } from './sign-in.ts';

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

/** A token of the issuer for 15 minutes, some of its claims replaced. */
export const workloadToken = async (key: JWK, issuer: string, claims: JWTPayload): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iss: issuer, iat: now, exp: now + MINUTES * 60, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: String(key.kid) })
    .sign(await importJWK(key, 'RS256'));
};
