/** The scope that an operator's access token must have. ID tokens have none, so they are rejected. */
export const ADMIN_SCOPE = 'cuevault/admin';

/** The scopes that the admin site requests when an operator signs in. */
export const SIGN_IN_SCOPE = `openid email ${ADMIN_SCOPE}`;

/** A company's provider in the user pool. */
export interface CompanyProvider {
  /** Its name in the pool. It differs for each issuer and client, so that nobody inherits an operator. */
  readonly provider: string;
  readonly issuer: string;
  readonly clientId: string;
}

/** The claim of an access token with the id of the operator who a person of the company is. */
export const OPERATOR_CLAIM = 'operator_id';

/** What the user pool answers if somebody signs in whom nobody has invited, as part of a text that anyone can write. */
export const NOT_INVITED = 'not_invited';

/** Paths of the admin site that the identity provider redirects the browser to. */
export const SIGN_IN_PATHS = {
  signedIn: '/signed-in',
  /** In the window that opens when a session has ended. */
  signedInAgain: '/signed-in-again',
  signedOut: '/',
} as const;

/** Lifetime of tokens, in seconds. */
export const TOKEN_SECONDS = { access: 600, id: 600 } as const;

/** The hosts of `sourceHosts`, unless a setting says otherwise. */
export const SOURCE_HOSTS: readonly string[] = ['github.com', 'gitlab.com'];

/** The configuration of the admin site, which its page contains. */
export interface SiteConfig {
  /** Issuer of the tokens. */
  readonly authority: string;
  /** Addresses of the identity provider for signing in and for tokens. */
  readonly signIn: { readonly authorize: string; readonly token: string };
  readonly clientId: string;
  readonly scope: string;
  /** The client of those who sign in through their company, and the name of the provider. */
  readonly companyClientId?: string;
  readonly companyProvider?: string;
  /** Where applications fetch prompts and secrets. */
  readonly apiUrl: string;
  /** The hosts of repositories that versions link to. */
  readonly sourceHosts: readonly string[];
  /** Sign-out address and its query parameters. */
  readonly signOut: { readonly url: string; readonly parameters: Readonly<Record<string, string>> };
  /** Whether the routes of `contract/endpoints/webhook.ts` exist: only in a local runner with a webhook. */
  readonly hasWebhook?: boolean;
  /** The models that prompts can be tried on, and where else a profile sends them; empty for any. Absent: none. */
  readonly models?: readonly { readonly id: string; readonly regions?: readonly string[] | undefined }[];
  /** Whether temporary passwords are mailed; otherwise nobody has a password. */
  readonly mails?: boolean;
  /** The addresses of operators as whom anyone may continue who is signed in: only in a local runner. */
  readonly operators?: readonly string[];
}

const PLACE = '<script type="application/json" id="config">';

/** The page of the admin site with its configuration: as data, which the content security policy does not run. */
export const pageWith = (page: string, config: SiteConfig): string => {
  if (!page.includes(PLACE))
    throw new Error('The page of the admin site has no place for its configuration.');
  // A value must not end the element.
  return page.replace(PLACE, () => PLACE + JSON.stringify(config).replaceAll('<', '\\u003c'));
};

/** The configuration that a page of the admin site contains, if it does. */
export const configIn = (page: string): SiteConfig | undefined => {
  const [, rest = ''] = page.split(PLACE);
  const [json = ''] = rest.split('</script>');
  return json === '' ? undefined : (JSON.parse(json) as SiteConfig);
};
