import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import {
  CACHE_CONTROL,
  contentSecurityPolicy,
  FILE_ENDING,
  HASHED_ASSETS,
  SECURITY_HEADERS,
} from '../../contract/http/security-headers.ts';
import {
  pageWith,
  SIGN_IN_PATHS,
  SIGN_IN_SCOPE,
  type SiteConfig,
  SOURCE_HOSTS,
} from '../../contract/sign-in.ts';
import { COMPANY_PROVIDER } from '../aws/account.ts';
import { IDENTITY_PATH } from '../identity/paths.ts';
import { CLIENT_ID } from '../identity/provider.ts';
import { decoded } from './routes.ts';

/** Folder of the built admin site. */
const BUILD = fileURLToPath(new URL('../../admin-ui/dist', import.meta.url));

/** Answers a request if it is for the site. Returns false if it is for the API. */
export type StaticSite = (request: IncomingMessage, response: ServerResponse) => boolean;

const PAGE = '/index.html';

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

// A path segment that could lead out of the folder, or to a hidden file, never matches.
const isPlain = (segment: string): boolean => /^[\w-][\w.-]*$/.test(segment);

const isFileOf = (root: string, pathname: string): boolean => {
  const segments = decoded(pathname).split('/').slice(1);
  return segments.every(isPlain) && isFile(path.join(root, ...segments));
};

export interface StaticSiteOptions {
  /** Folder of the built site. */
  readonly root?: string;
  /** Whether the runner posts events to a webhook, whose deliveries the site shows. */
  readonly hasWebhook?: boolean;
  /** The client of people of a company. @default - there is none */
  readonly companyClientId?: string | undefined;
  /** The addresses of operators as whom anyone may continue who is signed in. */
  readonly operators?: readonly string[];
}

const isForApi = (pathname: string): boolean => /^\/(api|health)(\/|$)/.test(pathname);

// Any other path is a screen, which the page resolves; but only browsers want to see a screen, and a mistyped path of
// the API deserves an error.
const isScreen = ({ headers }: IncomingMessage, pathname: string): boolean =>
  pathname === '/' || (!FILE_ENDING.test(pathname) && /\btext\/html\b/.test(headers.accept ?? ''));

/** The path of the file that answers a request, if one does. */
const fileFor = (root: string, request: IncomingMessage, pathname: string): string | undefined => {
  if (isForApi(pathname)) return undefined;
  if (isFileOf(root, pathname)) return pathname;
  return isScreen(request, pathname) && isFile(path.join(root, PAGE.slice(1))) ? PAGE : undefined;
};

const configOf = (
  origin: string,
  { hasWebhook, companyClientId, operators }: Omit<StaticSiteOptions, 'root'>,
): SiteConfig => ({
  authority: origin + IDENTITY_PATH,
  signIn: { authorize: `${origin}${IDENTITY_PATH}/auth`, token: `${origin}${IDENTITY_PATH}/token` },
  clientId: CLIENT_ID,
  scope: SIGN_IN_SCOPE,
  apiUrl: origin,
  sourceHosts: SOURCE_HOSTS,
  signOut: {
    url: `${origin}${IDENTITY_PATH}/session/end`,
    parameters: { client_id: CLIENT_ID, post_logout_redirect_uri: origin + SIGN_IN_PATHS.signedOut },
  },
  ...(hasWebhook && { hasWebhook }),
  ...(companyClientId && { companyClientId, companyProvider: COMPANY_PROVIDER.provider }),
  ...(operators && { operators }),
});

const isElsewhere = ({ headers }: IncomingMessage, origin: string): boolean =>
  headers.host?.toLowerCase() !== new URL(origin).host;

/**
 * The admin site at `origin` as it is served on AWS: the files of its build, and for every screen `index.html` with the
 * configuration.
 */
export const createStaticSite = (
  origin: string,
  { root = BUILD, ...features }: StaticSiteOptions = {},
): StaticSite => {
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': contentSecurityPolicy() };
  const config = configOf(origin, features);
  const files = sirv(root, {
    // The site may be rebuilt while this runs.
    dev: true,
    extensions: [],
    setHeaders: (response, pathname) => {
      const isHashed = pathname.startsWith(HASHED_ASSETS) && !pathname.endsWith('.html');
      const cacheControl = isHashed ? CACHE_CONTROL.hashed : CACHE_CONTROL.other;
      response.setHeaders(new Map(Object.entries({ ...headers, 'cache-control': cacheControl })));
    },
  });

  const sendPage = (response: ServerResponse): void => {
    const own = { 'content-type': 'text/html; charset=utf-8', 'cache-control': CACHE_CONTROL.other };
    const page = readFileSync(path.join(root, PAGE.slice(1)), 'utf8');
    response.writeHead(200, { ...headers, ...own }).end(pageWith(page, config));
  };

  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [pathname = '/'] = url.split('?');
    const file = fileFor(root, request, pathname);
    if (file === undefined) return false;
    // Tokens are issued to one origin, so the site is served there only.
    if (isElsewhere(request, origin)) response.writeHead(307, { location: origin + url }).end();
    else if (file === PAGE) sendPage(response);
    else files(Object.assign(request, { url: file }), response);
    return true;
  };
};
