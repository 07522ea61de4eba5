import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMPANY_CLIENT_ID, companyIn, type InvokeTrigger } from './company.ts';
import { answerWorkloads, publicPart, signingKey, workloadIssuer, workloadKey } from './keys.ts';
import { makeSignInLink } from './link.ts';
import { operatorsIn } from './operators.ts';
import { PAGE_HEADERS } from './pages.ts';
import { IDENTITY_PATH, LINK_EXCHANGE, LINK_PATH } from './paths.ts';
import { CLIENT_ID, createProvider } from './provider.ts';
import { createSignIn, type Handler } from './sign-in.ts';
import { adapterIn, openIdentityStore } from './store.ts';

const INTERACTION = `${IDENTITY_PATH}/interaction/`;

const isForLink = (url: string): boolean => url === LINK_PATH || url === LINK_EXCHANGE;

/** Whether a request with this path is for the identity provider. */
export const isForIdentity = (path: string): boolean =>
  path === LINK_PATH || path.startsWith(`${IDENTITY_PATH}/`);

// The provider expects to be mounted: it gets the remaining path, and derives the mount point from the original one.
const mounted = (request: IncomingMessage): IncomingMessage => {
  const { url = '' } = request;
  return Object.assign(request, { originalUrl: url, url: url.slice(IDENTITY_PATH.length) || '/' });
};

/**
 * Opens the identity provider of the data folder for the gateway at `origin`, with the operators and the signing key
 * stored there, and the issuer of workloads' tokens at `port`. `onLog` receives its errors.
 */
export const openIdentity = async (
  dataFolder: string,
  origin: string,
  port: number,
  onLog: (line: string) => void,
) => {
  const database = openIdentityStore(dataFolder);
  const operators = operatorsIn(database);
  const key = await signingKey(database);
  const ofWorkloads = await workloadKey(database);
  const issuer = workloadIssuer(port);
  const link = makeSignInLink(dataFolder, origin);
  let invoke: InvokeTrigger = async () => ({ failure: 'not started' });
  const company = companyIn(dataFolder, database, (id, event) => invoke(id, event));
  const logError = (error: Error): void => onLog(`identity: ${error.stack ?? error.message}\n`);
  const open = async (): Promise<Handler> => {
    const adapter = adapterIn(database);
    const provider = await createProvider({ origin, operators, company, key, adapter });
    provider.on('server_error', (_, error) => logError(error));
    const signIn = createSignIn({ operators, provider, company, link });
    const protocol = provider.callback();
    return (request, response) =>
      request.url?.startsWith(INTERACTION) ? signIn(request, response) : protocol(mounted(request), response);
  };
  let opened: Promise<Handler> | undefined;
  return {
    /** What an authorizer needs to check its tokens. */
    tokens: {
      issuer: origin + IDENTITY_PATH,
      audience: CLIENT_ID,
      ...(company && { companyAudience: COMPANY_CLIENT_ID }),
      keys: { keys: [publicPart(key)] },
    },
    /** Who issues the tokens of workloads. */
    workloadIssuer: issuer,
    /** The address that signs in, valid until the next start. */
    link: link.address,
    operators,
    /** Sets what invokes the triggers of the user pool. */
    connect: (by: InvokeTrigger) => {
      invoke = by;
    },
    /** Answers a request for which `isForIdentity` holds. */
    handle: async (request: IncomingMessage, response: ServerResponse) => {
      try {
        for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
        if (isForLink(request.url ?? '')) return await link.handle(request, response);
        opened ??= open();
        const handle = answerWorkloads(request.url ?? '', issuer, ofWorkloads) ?? (await opened);
        await handle(request, response);
      } catch (error) {
        logError(error as Error);
        throw error;
      }
    },
    close: () => database.close(),
  };
};
