import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { replacePrivate } from '../private-file.ts';
import { readBody } from '../request-body.ts';
import { linkPage } from './pages.ts';
import { IDENTITY_PATH, LINK_EXCHANGE, LINK_FILE, LINK_PATH } from './paths.ts';

const BYTES = 32;
const PASS_SECONDS = 60;

const newSecret = (): string => randomBytes(BYTES).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (text: string, secret: string): boolean => timingSafeEqual(digest(text), digest(secret));

/**
 * Makes the link that signs in to an instance at `origin`, which is valid until the next start, and keeps it in the data folder, where only its owner can read it. A browser
 * gets a pass for it: a cookie that works for a minute and once, and becomes the provider's session.
 */
export const makeSignInLink = (dataFolder: string, origin: string) => {
  const secret = newSecret();
  const address = `${origin}${LINK_PATH}#${secret}`;
  replacePrivate(path.join(dataFolder, LINK_FILE), `${address}\n`);
  // Two instances on different ports share the cookies of localhost.
  const cookie = `cuevault_pass_${new URL(origin).port}`;
  /** When each pass ends, in milliseconds. */
  const passes = new Map<string, number>();

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, 1_024);
    if (request.method !== 'POST' || request.headers.origin !== origin || !isSame(String(body), secret)) {
      response.writeHead(403).end();
      return;
    }
    for (const [pass, end] of passes) if (end < Date.now()) passes.delete(pass);
    const pass = newSecret();
    passes.set(pass, Date.now() + PASS_SECONDS * 1_000);
    response.setHeader(
      'set-cookie',
      `${cookie}=${pass}; HttpOnly; SameSite=Strict; Path=${IDENTITY_PATH}; Max-Age=${PASS_SECONDS}`,
    );
    response.writeHead(204).end();
  };

  /** Answers the page of the link, and the exchange of its value for a pass. */
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === LINK_EXCHANGE) return exchange(request, response);
    // Tokens are issued to one origin. Browsers keep the value of the link through the redirect.
    if (`http://${request.headers.host?.toLowerCase()}` === origin)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(linkPage());
    else response.writeHead(307, { location: origin + LINK_PATH }).end();
  };

  /** Whether a request brings a pass, which it uses up. */
  const admits = ({ headers }: IncomingMessage): boolean => {
    const [, pass = ''] = (headers.cookie ?? '').match(new RegExp(`(?:^|; )${cookie}=([\\w-]+)`)) ?? [];
    const end = passes.get(pass);
    passes.delete(pass);
    return end !== undefined && Date.now() <= end;
  };

  return { address, handle, admits };
};

export type SignInLink = ReturnType<typeof makeSignInLink>;
