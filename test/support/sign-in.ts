import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SIGN_IN_PATHS, SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import { IDENTITY_PATH, LINK_EXCHANGE, LINK_FILE } from '../../local/identity/paths.ts';
import { CLIENT_ID } from '../../local/identity/provider.ts';

export type Tokens = Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>;

export interface Browser {
  /** A request as a browser makes it, with its cookies. Redirects are not followed. */
  readonly send: (
    url: string,
    body?: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  /** Its cookies, by name. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** A new browser without cookies. */
export const createBrowser = (): Browser => {
  const cookies = new Map<string, string>();
  return {
    cookies,
    send: async (url, body, headers = {}) => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { ...headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(body !== undefined && {
          method: 'POST',
          body: typeof body === 'string' ? body : new URLSearchParams(body),
        }),
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

/** Where an instance is, and its data. */
export interface Place {
  readonly url: string;
  readonly dataFolder: string;
}

/** The link that signs in at an instance. */
export const linkOf = ({ dataFolder }: Place): string =>
  readFileSync(path.join(dataFolder, LINK_FILE), 'utf8').trim();

/** Exchanges the value of a link, as its page does. */
export const openLink = (browser: Browser, link: string, headers: Readonly<Record<string, string>> = {}) => {
  const { origin, hash } = new URL(link);
  return browser.send(origin + LINK_EXCHANGE, hash.slice(1), { origin, ...headers });
};

/**
 * Signs in at an instance as the admin site does in a browser: link, code, PKCE. Throws if the operator is refused.
 */
export const signIn = async (
  place: Place,
  email: string,
  { browser = createBrowser(), scope = SIGN_IN_SCOPE }: { browser?: Browser; scope?: string } = {},
): Promise<Tokens> => {
  const { url } = place;
  await openLink(browser, linkOf(place));
  const { address, verifier } = authorizationRequest(url, { scope, login_hint: email });
  const interaction = nextOf(await browser.send(address));
  const admitted = await browser.send(interaction);
  if (admitted.status !== 303) throw new Error(`The sign-in of ${email} was refused.`);
  const returned = nextOf(await browser.send(nextOf(admitted)));
  const reply = await redeem(url, returned, verifier);
  if (!reply.ok) throw new Error(`The code was not exchanged: ${await reply.text()}`);
  return (await reply.json()) as Tokens;
};
