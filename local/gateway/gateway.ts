import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { webhookGet, webhookSendAgain } from '../../contract/endpoints/webhook.ts';
import { isForIdentity } from '../identity/identity.ts';
import type { Handler } from '../identity/sign-in.ts';
import { type Listening, listenOnLocalhost } from '../loopback.ts';
import type { Webhook } from '../webhook/webhook.ts';
import {
  type Admission,
  administratorOf,
  answerItself,
  commandIn,
  type Invoker,
  invokeCommand,
  invokeFunction,
} from './functions.ts';
import { createRouter, type Match, type Router } from './routes.ts';
import type { StaticSite } from './static-site.ts';

/** Finds the route of a request among those of the webhook. */
const webhookRoute = createRouter([webhookGet as Endpoint, webhookSendAgain as Endpoint]);

const GONE = 'This delivery is no longer available. The runner keeps the last 100 since it was started.';

const resultOf = (webhook: Webhook, { endpoint, pathParameters }: Match): object | undefined => {
  if (endpoint.id === webhookGet.id) return { receiver: webhook.receiver, deliveries: webhook.deliveries() };
  const delivery = webhook.sendAgain(pathParameters.deliveryId ?? '');
  return delivery && { delivery };
};

/** Answers an administrator about the deliveries to the webhook. */
const answerWebhook = async (
  webhook: Webhook,
  admission: Admission,
  match: Match,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const judged = await administratorOf(admission, request);
  if ('refused' in judged) return answerItself(response, judged.refused);
  const res = resultOf(webhook, match);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(res === undefined ? 404 : 200, headers);
  response.end(JSON.stringify(res === undefined ? { err: GONE, res: null } : { err: null, res }));
};

/** What the gateway forwards to. */
export interface Backend extends Invoker {
  readonly route: Router;
  /** Handles the requests for which `isForIdentity` holds. */
  readonly identity: Handler;
  readonly site: StaticSite;
  /** @default - events are sent nowhere, and the routes of the webhook do not exist */
  readonly webhook?: Webhook | undefined;
  /** Receives a line about each request that fails here; its answer says nothing. */
  readonly onError: (line: string) => void;
}

export interface GatewayOptions extends Listening {
  /** Hosts, with their ports, that are answered besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
}

// A page of another site whose name resolves to this machine must not reach the API.
const isLocalHost = (host: string, port: number | undefined): boolean =>
  [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`].includes(host) ||
  (port === 80 && ['localhost', '127.0.0.1', '[::1]'].includes(host));

// In the envelope of the service, so that the clients show the sentence.
const refuseHost = (response: ServerResponse, host: string): void => {
  const err = `The host ${JSON.stringify(host)} is not allowed: add it to CUEVAULT_ALLOWED_HOSTS.`;
  response
    .writeHead(403, { 'content-type': 'application/json; charset=utf-8', 'cuevault-error': 'forbidden' })
    .end(JSON.stringify({ err, res: null }));
};

const answer = async (
  backend: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (isForIdentity(path)) return backend.identity(request, response);
  const command = commandIn(request.method ?? 'GET', path);
  if (command !== undefined) return invokeCommand(backend, command, request, response);
  const delivery = backend.webhook && webhookRoute(request.method ?? 'GET', path);
  if (backend.webhook && delivery)
    return answerWebhook(backend.webhook, backend, delivery, request, response);
  const match = backend.route(request.method ?? 'GET', path);
  if (match === undefined && backend.site(request, response)) return;
  await invokeFunction(backend, match, request, response);
};

// The time limit of a call is too long to wait after Ctrl-C.
const END_MILLISECONDS = 3_000;

const endCalls = async (calls: ReadonlySet<ServerResponse>, cut: () => void): Promise<void> => {
  const late = setTimeout(cut, END_MILLISECONDS);
  await Promise.all(
    [...calls].map((response) => {
      if (!response.headersSent) response.setHeader('connection', 'close');
      return new Promise((resolve) => response.once('close', resolve));
    }),
  );
  clearTimeout(late);
  cut();
};

/**
 * Listens on the loopback interface, unless another address is given, and replaces API Gateway: it turns an HTTP request into a
 * payload 2.0 event for the function, and its reply into an HTTP response. It answers `/health` itself, and serves the
 * admin site and the identity provider, which have their own addresses on AWS. Errors: `StartError` if the port cannot
 * be used.
 */
export const startGateway = async ({ allowedHosts = [], ...wanted }: GatewayOptions) => {
  let backend: Backend | undefined;
  const calls = new Set<ServerResponse>();
  const { servers, port } = await listenOnLocalhost((request, response) => {
    calls.add(response);
    response.once('close', () => calls.delete(response));
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!isLocalHost(host, request.socket.localPort) && !allowedHosts.includes(host))
      return refuseHost(response, host);
    if (backend === undefined) return answerItself(response, 503);
    const { onError } = backend;
    if (request.method === 'GET' && request.url === '/health') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    answer(backend, request, response).catch((error: unknown) => {
      // Otherwise the caller has gone.
      if (request.complete)
        onError(`${request.method} ${request.url?.split('?')[0]}: ${(error as Error).stack}\n`);
      if (!response.headersSent) answerItself(response, 500);
      else response.destroy();
    });
  }, wanted);
  return {
    port,
    /** Starts to forward requests. Until then, almost all requests get 503. */
    open: (opened: Backend) => {
      backend = opened;
    },
    /** Accepts no more calls, gives calls in progress a few seconds to finish, and closes all connections. Can be repeated. */
    stop: async () => {
      backend = undefined;
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      await endCalls(calls, () => {
        for (const server of servers) server.closeAllConnections();
      });
      await Promise.all(closed);
    },
  };
};

export type Gateway = Awaited<ReturnType<typeof startGateway>>;
