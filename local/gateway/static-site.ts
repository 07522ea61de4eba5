import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CACHE_CONTROL,
  contentSecurityPolicy,
  FILE_ENDING,
  HASHED_ASSETS,
  SECURITY_HEADERS,
} from '../../contract/security-headers.ts';
import { SIGN_IN_PATHS, SIGN_IN_SCOPE, type SiteConfig } from '../../contract/sign-in.ts';
import { CLIENT_ID, IDENTITY_PATH } from '../identity/provider.ts';
import { HOME } from './home.ts';
import { decoded } from './routes.ts';

/** Where the build of the admin site lies. */
const BUILD = fileURLToPath(new URL('../../admin-ui/dist', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Answers a request if it is for the site; false where it is for the API. */
export type StaticSite = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Served {
  readonly file: string;
  readonly cacheControl: string;
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

// Segments of a path that could lead out of the folder, or to a hidden file, name no file at all.
const isPlain = (segment: string): boolean => /^[\w-][\w.-]*$/.test(segment);

const fileOf = (root: string, pathname: string): string | undefined => {
  const segments = decoded(pathname).split('/').slice(1);
  if (!segments.every(isPlain)) return undefined;
  const file = path.join(root, ...segments);
  return isFile(file) ? file : undefined;
};

const isForApi = (pathname: string): boolean => /^\/(api|health)(\/|$)/.test(pathname);

const indexOf = (root: string): string | undefined => {
  const index = path.join(root, 'index.html');
  return isFile(index) ? index : undefined;
};

// What is no file is a screen, which the page finds out for itself; but only a browser wants to see a screen, and
// whoever mistypes a path of the API wants to be told so.
const isScreen = ({ headers }: IncomingMessage, pathname: string): boolean =>
  pathname === '/' || (!FILE_ENDING.test(pathname) && /\btext\/html\b/.test(headers.accept ?? ''));

const find = (root: string, request: IncomingMessage, pathname: string): Served | undefined => {
  if (isForApi(pathname)) return undefined;
  const file = fileOf(root, pathname) ?? (isScreen(request, pathname) ? indexOf(root) : undefined);
  if (file === undefined) return undefined;
  const hashed = pathname.startsWith(HASHED_ASSETS) && !file.endsWith('.html');
  return { file, cacheControl: hashed ? CACHE_CONTROL.hashed : CACHE_CONTROL.other };
};

const configOf = (origin: string): SiteConfig => ({
  authority: origin + IDENTITY_PATH,
  clientId: CLIENT_ID,
  scope: SIGN_IN_SCOPE,
  apiUrl: origin,
  signOut: {
    url: `${origin}${IDENTITY_PATH}/session/end`,
    parameters: { client_id: CLIENT_ID, post_logout_redirect_uri: origin + SIGN_IN_PATHS.signedOut },
  },
});

const isElsewhere = ({ headers }: IncomingMessage, origin: string): boolean =>
  headers.host?.toLowerCase() !== new URL(origin).host;

/**
 * The admin site at `origin` as it is served on AWS: the files of its build, `index.html` for every screen, and
 * `/config.json`. Where it has not been built there is a page at `/` that says where the API is.
 */
export const createStaticSite = (origin: string, root: string = BUILD): StaticSite => {
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': contentSecurityPolicy() };
  const config = JSON.stringify(configOf(origin));

  const sendConfig = (response: ServerResponse): void => {
    const own = { 'content-type': TYPES['.json'], 'cache-control': CACHE_CONTROL.other };
    response.writeHead(200, { ...headers, ...own }).end(config);
  };
  const sendFile = (response: ServerResponse, { file, cacheControl }: Served): void => {
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': cacheControl });
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  };

  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [pathname = '/'] = url.split('?');
    const served = find(root, request, pathname);
    if (pathname === '/config.json') sendConfig(response);
    // Tokens are issued to the one origin, so the site lives there alone.
    else if (served !== undefined && isElsewhere(request, origin))
      response.writeHead(307, { location: origin + url }).end();
    else if (served !== undefined) sendFile(response, served);
    else if (pathname === '/') response.writeHead(200, HOME.headers).end(HOME.page);
    else return false;
    return true;
  };
};
