import { createHash, randomBytes } from 'node:crypto';
import { SIGN_IN_PATHS, SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import type { Credentials } from '../../local/identity/operators.ts';
import { CLIENT_ID, IDENTITY_PATH } from '../../local/identity/provider.ts';

export type Tokens = Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>;

export interface Browser {
  /** A request as a browser makes it, with its cookies. Redirects are not followed. */
  readonly send: (
    url: string,
    form?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A new browser without cookies. */
export const createBrowser = (): Browser => {
  const cookies = new Map<string, string>();
  return {
    send: async (url, form, headers = {}) => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { ...headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
  };
};

const nextOf = (response: Response): string => {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.url} answered ${response.status} and leads nowhere.`);
  return new URL(location, response.url).href;
};

const random = (): string => randomBytes(32).toString('base64url');

/** The address at which a sign-in begins, and the verifier for its code. */
export const authorizationRequest = (
  url: string,
  parameters: Readonly<Record<string, string>> = {},
): { readonly address: string; readonly verifier: string } => {
  const verifier = random();
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: url + SIGN_IN_PATHS.signedIn,
    scope: SIGN_IN_SCOPE,
    state: random(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { address: `${url}${IDENTITY_PATH}/auth?${query}`, verifier };
};

/** Calls the token endpoint of the instance at `url`. */
export const requestTokens = (url: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${url}${IDENTITY_PATH}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
  });

/** Exchanges the code of the redirect. */
export const redeem = (url: string, returned: string, verifier: string): Promise<Response> =>
  requestTokens(url, {
    grant_type: 'authorization_code',
    code: new URL(returned).searchParams.get('code') ?? '',
    redirect_uri: url + SIGN_IN_PATHS.signedIn,
    code_verifier: verifier,
  });

/**
 * Signs in at the instance at `url` as the admin site does in a browser: form, code, PKCE. Throws if the credentials
 * are rejected.
 */
export const signIn = async (
  url: string,
  credentials: Credentials,
  { browser = createBrowser(), scope = SIGN_IN_SCOPE }: { browser?: Browser; scope?: string } = {},
): Promise<Tokens> => {
  const { address, verifier } = authorizationRequest(url, { scope });
  const form = nextOf(await browser.send(address));
  const submitted = await browser.send(form, { ...credentials });
  if (submitted.status !== 303) throw new Error(`The sign-in of ${credentials.email} was refused.`);
  const returned = nextOf(await browser.send(nextOf(submitted)));
  const reply = await redeem(url, returned, verifier);
  if (!reply.ok) throw new Error(`The code was not exchanged: ${await reply.text()}`);
  return (await reply.json()) as Tokens;
};
