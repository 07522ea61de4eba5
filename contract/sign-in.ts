/** The scope that an operator's access token must have. ID tokens have none, so they are rejected. */
export const ADMIN_SCOPE = 'cuevault/admin';

/** What the admin site asks for when an operator signs in. */
export const SIGN_IN_SCOPE = `openid email ${ADMIN_SCOPE}`;

/** Where the identity provider sends the browser back to: paths of the admin site. */
export const SIGN_IN_PATHS = { signedIn: '/signed-in', signedOut: '/' } as const;

/** How long tokens live, in seconds. */
export const TOKEN_SECONDS = { access: 600, id: 600 } as const;

/** What the admin site reads from `/config.json` before anything else. */
export interface SiteConfig {
  /** Issuer of the tokens; its discovery document lies below `/.well-known/openid-configuration`. */
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
  /** Where applications fetch prompts and secrets. */
  readonly apiUrl: string;
  /** Address to send the browser to for signing out, and the query parameters that it needs. */
  readonly signOut: { readonly url: string; readonly parameters: Readonly<Record<string, string>> };
}
