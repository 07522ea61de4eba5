import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { readBody } from '../request-body.ts';
import { COMPANY_CLIENT_ID, type Company } from './company.ts';
import type { SignInLink } from './link.ts';
import { type Account, type Operators, operatorOf } from './operators.ts';
import { closedPage, companyPage, messagePage } from './pages.ts';

const FORM_LIMIT = 16 * 1024;

const EXPIRED = 'This page has expired or was opened in another browser. Start again from Cuevault.';

const show = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
};

// Browsers send the origin with every form.
const isForeign = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined && headers.origin !== `http://${headers.host}`;

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the sign-in of operators needs. */
export interface SignInOptions {
  readonly operators: Operators;
  readonly provider: Provider;
  readonly company: Company | undefined;
  readonly link: SignInLink;
}

/**
 * Signs in who has opened the link, or continues as another operator for who is signed in already: as the one that the
 * request names, or else as the first. People of the company choose who they are.
 */
export const createSignIn = ({ operators, provider, company, link }: SignInOptions): Handler => {
  const accountFor = (hint: string | undefined): Account | undefined => {
    const account = operators.account(hint ?? operatorOf('admin'));
    return hint === undefined && !account?.enabled ? operators.all().find(({ enabled }) => enabled) : account;
  };

  // As the user pool does, which passes on what its trigger throws.
  const finishFor = async (sub: string | null) => {
    const profile = company?.people().find((person) => person.sub === sub);
    if (profile === undefined) return { error: 'access_denied' };
    try {
      await company?.admit(profile);
      return { login: { accountId: profile.id } };
    } catch (error) {
      const error_description = `PreSignUp failed with error ${(error as Error).message}. `;
      return { error: 'invalid_request', error_description };
    }
  };

  const answerCompany: Handler = async (request, response) => {
    if (request.method !== 'POST')
      return show(response, 200, companyPage(request.url ?? '', company?.people() ?? []));
    const body = await readBody(request, FORM_LIMIT);
    if (body === undefined || isForeign(request)) return show(response, 403, messagePage('Refused', EXPIRED));
    const sub = new URLSearchParams(body.toString('utf8')).get('sub');
    await provider.interactionFinished(request, response, await finishFor(sub));
  };

  // The provider would ask whether to sign the former operator out.
  const endSession = async (details: Details): Promise<void> => {
    const session = details.session && (await provider.Session.findByUid(details.session.uid));
    await session?.destroy();
    delete details.session;
    await details.save(details.exp - Math.floor(Date.now() / 1_000));
  };

  return async (request, response) => {
    const details = await provider.interactionDetails(request, response).catch(() => undefined);
    if (details?.prompt.name !== 'login') return show(response, 400, messagePage('Start again', EXPIRED));
    const { client_id: client, login_hint: hint } = details.params as Record<string, string | undefined>;
    if (client === COMPANY_CLIENT_ID) return answerCompany(request, response);
    // Another site can lead a signed-in browser here, but must not choose who it is. People of the company, whom nobody asked
    // for a link, are no operators of this door.
    const isSignedIn =
      operators.find(details.session?.accountId ?? '') !== undefined &&
      request.headers['sec-fetch-site'] !== 'cross-site';
    if (!link.admits(request) && !isSignedIn) return show(response, 200, closedPage());
    const account = accountFor(hint);
    if (account === undefined || !account.enabled)
      return show(response, 200, messagePage('Refused', 'There is no such operator, or they are disabled.'));
    if (details.session?.accountId !== account.id) await endSession(details);
    operators.setPending(account.id, false);
    await provider.interactionFinished(request, response, { login: { accountId: account.id } });
  };
};
