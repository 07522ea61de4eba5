import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { readBody } from '../request-body.ts';
import { COMPANY_CLIENT_ID, type Company, type Profile } from './company.ts';
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
export const createSignIn = (
  operators: Operators,
  provider: Provider,
  company: Company | undefined,
): Handler => {
  // As the user pool does, which passes on what its trigger throws.
  const finishFor = async (profile: Profile) => {
    try {
      await company?.admit(profile);
      return { login: { accountId: profile.id } };
    } catch (error) {
      const error_description = `PreSignUp failed with error ${(error as Error).message}. `;
      return { error: 'invalid_request', error_description };
    }
  };

  const submit = async (request: IncomingMessage, response: ServerResponse, isCompany: boolean) => {
    const body = await readBody(request, FORM_LIMIT);
    if (body === undefined || isForeign(request)) return show(response, 403, messagePage('Refused', EXPIRED));
    const action = request.url ?? '';
    const form = new URLSearchParams(body.toString('utf8'));
    const email = form.get('email') ?? '';
    const password = form.get('password') ?? '';
    const profile = isCompany ? company?.verify(email, password) : undefined;
    const operator = isCompany ? profile : await operators.verify(email, password);
    // Not 401, which requires a scheme of HTTP authentication.
    if (operator === undefined) return show(response, 200, signInPage(action, email, WRONG, isCompany));
    const result = profile ? await finishFor(profile) : { login: { accountId: operator.id } };
    await provider.interactionFinished(request, response, result);
  };

  return async (request, response) => {
    const details = await provider.interactionDetails(request, response).catch(() => undefined);
    if (details?.prompt.name !== 'login') return show(response, 400, messagePage('Start again', EXPIRED));
    const { client_id: client, login_hint: hint } = details.params as Record<string, string | undefined>;
    const isCompany = client === COMPANY_CLIENT_ID;
    if (request.method === 'POST') return submit(request, response, isCompany);
    show(response, 200, signInPage(request.url ?? '', hint, undefined, isCompany));
  };
};
