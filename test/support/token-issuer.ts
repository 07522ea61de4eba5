import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import type { TokenSettings } from '../../lambdas/http/access-token.ts';
import { serve } from './server.ts';

export interface TokenIssuer {
  readonly settings: TokenSettings;
  /** How often its keys were fetched. */
  readonly fetches: () => number;
  /** An access token, some of its claims replaced (undefined: left out). */
  readonly sign: (
    claims?: Readonly<Record<string, unknown>>,
    signer?: { readonly kid?: string; readonly key?: CryptoKey },
  ) => Promise<string>;
  /** Makes another key the only one, under this id. */
  readonly rotate: (kid: string) => Promise<void>;
  /** Answers requests for its keys with this status. */
  readonly answer: (status: number) => void;
  readonly stop: () => Promise<void>;
}

/** Starts an issuer of access tokens that publishes its keys on a loopback port. */
export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  let key = { kid: 'k1', ...(await generateKeyPair('RS256')) };
  let fetches = 0;
  let status = 200;
  const { url: issuer, stop } = await serve(async (_, response) => {
    fetches += 1;
    const jwk = { ...(await exportJWK(key.publicKey)), kid: key.kid, alg: 'RS256', use: 'sig' };
    response.writeHead(status).end(JSON.stringify({ keys: [jwk] }));
  });
  const now = Math.floor(Date.now() / 1_000);
  const usual: JWTPayload = {
    iss: issuer,
    client_id: 'admin-site',
    sub: 's',
    username: 'u',
    email: 'ada@example.com',
    token_use: 'access',
    scope: SIGN_IN_SCOPE,
    iat: now,
    exp: now + 600,
  };
  return {
    settings: { issuer, clientId: 'admin-site', keys: `${issuer}/keys` },
    fetches: () => fetches,
    sign: (claims, signer) =>
      new SignJWT({ ...usual, ...claims } as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid: signer?.kid ?? key.kid })
        .sign(signer?.key ?? key.privateKey),
    rotate: async (kid) => {
      key = { kid, ...(await generateKeyPair('RS256')) };
    },
    answer: (next) => {
      status = next;
    },
    stop,
  };
};
