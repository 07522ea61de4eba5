import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
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

/** The types of files that are sent compressed, as on AWS. The others are fonts. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

interface SiteFile {
  readonly mtimeMs: number;
  readonly body: Buffer;
  /** Undefined for what is no text. */
  readonly type: string | undefined;
  readonly packed: Buffer | undefined;
}

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
  /** Whether prompts can be tried on a model. */
  readonly hasModel?: boolean;
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
  if (isFileOf(root, pathname)) return decoded(pathname);
  return isScreen(request, pathname) && isFile(path.join(root, PAGE.slice(1))) ? PAGE : undefined;
};

const configOf = (
  origin: string,
  { hasWebhook, hasModel, companyClientId, operators }: Omit<StaticSiteOptions, 'root'>,
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
  ...(hasModel && { models: [] }),
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
  const known = new Map<string, SiteFile>();

  const read = (file: string): SiteFile => {
    const { mtimeMs } = statSync(path.join(root, file));
    const found = known.get(file);
    // The site may be rebuilt while this runs.
    if (found?.mtimeMs === mtimeMs) return found;
    const stored = readFileSync(path.join(root, file));
    const body = file === PAGE ? Buffer.from(pageWith(stored.toString(), config)) : stored;
    const type = TEXT_TYPES[path.extname(file)];
    const made = { mtimeMs, body, type, packed: type === undefined ? undefined : gzipSync(body) };
    known.set(file, made);
    return made;
  };

  const send = ({ headers: asked }: IncomingMessage, response: ServerResponse, file: string): void => {
    const { body, type, packed } = read(file);
    const isHashed = file.startsWith(HASHED_ASSETS) && !file.endsWith('.html');
    const sent = /\bgzip\b/.test(String(asked['accept-encoding'])) ? (packed ?? body) : body;
    response.writeHead(200, {
      ...headers,
      'content-type': type === undefined ? 'font/woff2' : `${type}; charset=utf-8`,
      'content-length': sent.length,
      'cache-control': isHashed ? CACHE_CONTROL.hashed : CACHE_CONTROL.other,
      vary: 'accept-encoding',
      ...(sent === packed && { 'content-encoding': 'gzip' }),
    });
    response.end(sent);
  };

  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [pathname = '/'] = url.split('?');
    const file = fileFor(root, request, pathname);
    if (file === undefined) return false;
    // Tokens are issued to one origin, so the site is served there only.
    if (isElsewhere(request, origin)) response.writeHead(307, { location: origin + url }).end();
    else send(request, response, file);
    return true;
  };
};
