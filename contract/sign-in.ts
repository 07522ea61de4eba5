/** The scope that an operator's access token must have. ID tokens have none, so they are rejected. */
export const ADMIN_SCOPE = 'cuevault/admin';

/** The scopes that the admin site requests when an operator signs in. */
export const SIGN_IN_SCOPE = `openid email ${ADMIN_SCOPE}`;

/** Paths of the admin site that the identity provider redirects the browser to. */
export const SIGN_IN_PATHS = {
  signedIn: '/signed-in',
  /** In the window that opens when a session has ended. */
  signedInAgain: '/signed-in-again',
  signedOut: '/',
} as const;

/** Lifetime of tokens, in seconds. */
export const TOKEN_SECONDS = { access: 600, id: 600 } as const;

/** File of a local data folder that has the temporary passwords of invited operators: nothing is mailed there. */
export const MAIL_FILE = 'temporary-passwords.json';

/** The hosts of `sourceHosts`, unless a setting says otherwise. */
export const SOURCE_HOSTS: readonly string[] = ['github.com', 'gitlab.com'];

/** The configuration that the admin site loads from `/config.json` first. */
export interface SiteConfig {
  /** Issuer of the tokens; its discovery document is at `/.well-known/openid-configuration`. */
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
  /** Where applications fetch prompts and secrets. */
  readonly apiUrl: string;
  /** The hosts of repositories that versions link to. */
  readonly sourceHosts: readonly string[];
  /** Sign-out address and its query parameters. */
  readonly signOut: { readonly url: string; readonly parameters: Readonly<Record<string, string>> };
  /** Whether the routes of `contract/webhook.ts` exist: only in a local runner with a webhook. */
  readonly hasWebhook?: boolean;
  /** Whether temporary passwords are mailed; otherwise `MAIL_FILE` has them. */
  readonly mails?: boolean;
}
