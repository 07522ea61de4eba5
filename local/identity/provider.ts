import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { AdapterFactory, ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { SIGN_IN_PATHS, SIGN_IN_SCOPE, TOKEN_SECONDS } from '../../contract/sign-in.ts';
import { COMPANY_CLIENT_ID, type Company } from './company.ts';
import type { Operator, Operators } from './operators.ts';
import { messagePage, signOutPage } from './pages.ts';
import { IDENTITY_PATH } from './paths.ts';

/** Address of the public keys of an issuer. */
export const keysAt = (issuer: string): string => `${issuer}/jwks`;

/** The client of operators who sign in with the link. */
export const CLIENT_ID = 'cuevault-admin';

const RESOURCE = 'urn:cuevault:admin';
const HOUR = 3_600;
const DAY = 24 * HOUR;

export interface ProviderSettings {
  /** Origin of the gateway, such as `http://localhost:3000`. */
  readonly origin: string;
  readonly operators: Operators;
  readonly company: Company | undefined;
  readonly key: JWK;
  readonly adapter: AdapterFactory;
}

const idClaims = (operator: Operator) => ({
  sub: operator.id,
  token_use: 'id',
  'cognito:username': operator.id,
  email: operator.email,
  email_verified: true,
});

/** What access tokens say about an operator. */
export const accessClaims = ({ id, email }: Operator) => ({ token_use: 'access', username: id, email });

// No consent is asked for: both clients are the product's own site, so every sign-in has the grant.
const grantFor = async ({ oidc }: KoaContextWithOIDC) => {
  const { session, client, account, provider } = oidc;
  const known = session?.grantIdFor(client?.clientId ?? '');
  const grant = known === undefined ? undefined : await provider.Grant.find(known);
  if (grant !== undefined) return grant;
  const made = new provider.Grant({
    ...(client === undefined ? {} : { clientId: client.clientId }),
    ...(account === undefined ? {} : { accountId: account.accountId }),
  });
  made.addOIDCScope('openid email');
  made.addResourceScope(RESOURCE, SIGN_IN_SCOPE);
  await made.save();
  return made;
};

// Two instances on different ports share the cookies of localhost, so their names differ.
const cookies = (origin: string): Configuration['cookies'] => {
  const { port } = new URL(origin);
  const shared = { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true } as const;
  return {
    names: {
      session: `cuevault_session_${port}`,
      interaction: `cuevault_interaction_${port}`,
      resume: `cuevault_resume_${port}`,
    },
    long: { ...shared, path: IDENTITY_PATH },
    short: shared,
  };
};

const page = (ctx: KoaContextWithOIDC, body: string): void => {
  ctx.type = 'html';
  ctx.body = body;
};

const features: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => page(ctx, signOutPage(form)),
    postLogoutSuccessSource: (ctx) => page(ctx, messagePage('Signed out', 'You are signed out.')),
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => RESOURCE,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, _resource, { clientId }) => ({
      scope: SIGN_IN_SCOPE,
      // An authorizer uses `aud` if a token has it and `client_id` otherwise. Cognito's access tokens have no `aud`.
      audience: clientId,
      accessTokenFormat: 'jwt',
      accessTokenTTL: TOKEN_SECONDS.access,
      jwt: { sign: { alg: 'RS256' } },
    }),
  },
};

const clientOf = (client_id: string, origin: string): ClientMetadata => ({
  client_id,
  client_name: 'Cuevault',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [origin + SIGN_IN_PATHS.signedIn, origin + SIGN_IN_PATHS.signedInAgain],
  post_logout_redirect_uris: [origin + SIGN_IN_PATHS.signedOut],
});

const configuration = ({ origin, operators, company, key, adapter }: ProviderSettings): Configuration => ({
  adapter,
  features,
  clients: [CLIENT_ID, ...(company ? [COMPANY_CLIENT_ID] : [])].map((id) => clientOf(id, origin)),
  jwks: { keys: [key as never] },
  scopes: ['openid', 'email'],
  claims: {
    openid: ['sub', 'token_use', 'cognito:username'],
    email: ['email', 'email_verified'],
  },
  // Cognito puts the claims into the ID token itself.
  conformIdTokenClaims: false,
  clientAuthMethods: ['none'],
  responseTypes: ['code'],
  pkce: { required: () => true },
  // Browsers send the origin even for same-origin calls. The admin site is the only one.
  clientBasedCORS: (_ctx, asking) => asking === origin,
  cookies: cookies(origin),
  interactions: { url: (_ctx, { uid }) => `${IDENTITY_PATH}/interaction/${uid}` },
  findAccount: (_ctx, id) => {
    const operator = company?.find(id) ?? operators.find(id);
    return operator && { accountId: id, claims: () => idClaims(operator) };
  },
  extraTokenClaims: async (ctx, token) => {
    const { AuthorizationCode, RefreshToken } = ctx.oidc.entities;
    const auth_time = (AuthorizationCode ?? RefreshToken)?.authTime;
    const id = 'accountId' in token ? String(token.accountId) : '';
    const profile = company?.find(id);
    if (profile !== undefined)
      return { token_use: 'access', auth_time, username: id, ...(await company?.claimsOf(profile)) };
    const operator = operators.find(id);
    return operator && { ...accessClaims(operator), auth_time };
  },
  loadExistingGrant: grantFor,
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => true,
  renderError: (ctx, { error, error_description: description }) =>
    page(ctx, messagePage('Something went wrong', description ?? error)),
  ttl: {
    AccessToken: TOKEN_SECONDS.access,
    AuthorizationCode: 60,
    Grant: 14 * DAY,
    IdToken: TOKEN_SECONDS.id,
    Interaction: HOUR,
    RefreshToken: 12 * HOUR,
    Session: 12 * HOUR,
  },
});

/**
 * The OpenID Connect provider that replaces Cognito: authorization code with PKCE for the admin site, tokens with
 * Cognito's claims. Loaded on first use, because loading takes a quarter of a second.
 */
export const createProvider = async (settings: ProviderSettings): Promise<Provider> => {
  const { Provider: OidcProvider } = await import('oidc-provider');
  return new OidcProvider(settings.origin + IDENTITY_PATH, configuration(settings));
};
