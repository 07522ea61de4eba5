import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { readBody } from '../request-body.ts';
import type { Operators } from './operators.ts';
import { messagePage, signInPage } from './pages.ts';

const FORM_LIMIT = 16 * 1024;

const WRONG = 'The e-mail address or the password is wrong.';
const EXPIRED = 'This page has expired or was opened in another browser. Start again from Cuevault.';

const show = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
};

// Browsers send the origin with every form.
const isForeign = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined && headers.origin !== `http://${headers.host}`;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The sign-in page of operators: shows the form, checks the password, and redirects the browser. */
export const createSignIn = (operators: Operators, provider: Provider): Handler => {
  const submit: Handler = async (request, response) => {
    const body = await readBody(request, FORM_LIMIT);
    if (body === undefined || isForeign(request)) return show(response, 403, messagePage('Refused', EXPIRED));
    const action = request.url ?? '';
    const form = new URLSearchParams(body.toString('utf8'));
    const email = form.get('email') ?? '';
    const operator = await operators.verify(email, form.get('password') ?? '');
    // Not 401, which requires a scheme of HTTP authentication.
    if (operator === undefined) return show(response, 200, signInPage(action, email, WRONG));
    await provider.interactionFinished(request, response, { login: { accountId: operator.id } });
  };

  return async (request, response) => {
    const details = await provider.interactionDetails(request, response).catch(() => undefined);
    if (details?.prompt.name !== 'login') return show(response, 400, messagePage('Start again', EXPIRED));
    if (request.method === 'POST') return submit(request, response);
    show(response, 200, signInPage(request.url ?? '', details.params.login_hint as string | undefined));
  };
};
