import { generateKeyPair, type JsonWebKey, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { JWK } from 'jose';

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
