import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { webhookGet, webhookSendAgain } from '../../contract/endpoints/webhook.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS, type CommandEvent, operatorManage } from '../../contract/functions/commands.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import { isCuevaultError } from '../../lambdas/core/errors.ts';
import { admitOperator, type Operator, operatorIdIn } from '../../lambdas/core/operators.ts';
import { INVOCATION_PATH, NOT_JSON } from '../aws/lambda.ts';
import type { LocalFunction } from '../functions/functions.ts';
import { isForIdentity } from '../identity/identity.ts';
import type { Handler } from '../identity/sign-in.ts';
import { type Listening, listenOnLocalhost } from '../loopback.ts';
import { parsedJson, readBody } from '../request-body.ts';
import type { Webhook } from '../webhook/webhook.ts';
import { type Routed, toEvent } from './events.ts';
import type { JwtAuthorizer } from './jwt-authorizer.ts';
import { createRouter, type Match, type Router } from './routes.ts';
import type { StaticSite } from './static-site.ts';

/** Who makes a request, if they are an operator of the group `admin`. */
const administratorOf = async (
  { authorize, operatorOf }: Backend,
  { headers }: IncomingMessage,
): Promise<Pick<CommandEvent, 'operator' | 'operatorId'> | { readonly refused: 401 | 403 }> => {
  const judged = await authorize(headers.authorization, ADMIN_SCOPE);
  if ('refused' in judged) return judged;
  try {
    const operatorId = operatorIdIn(judged.claims);
    const { email } = admitOperator(await operatorOf(operatorId), 'admin', judged.claims);
    return { operator: email, operatorId };
  } catch (error) {
    if (isCuevaultError(error, 'forbidden')) return { refused: 403 };
    if (isCuevaultError(error, 'unauthenticated')) return { refused: 401 };
    throw error;
  }
};

/** API Gateway's own limit on a request, in bytes. */
const REQUEST_LIMIT = 10 * 1024 * 1024;
/** Lambda's limit on an event, in bytes of JSON. */
const EVENT_LIMIT = 6 * 1024 * 1024;
/** An event with a body of at most this many bytes is within the limit: JSON makes six bytes of one at most. */
const SMALL_BODY = 512 * 1024;

interface FunctionReply {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const DEFAULT = ENDPOINTS.find(({ route }) => route === undefined)?.id ?? '';

const OWN = {
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

const sendJson = (response: ServerResponse, status: number, value: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

/** Answers with one of API Gateway's own messages, as on AWS. */
const answerItself = (response: ServerResponse, status: keyof typeof OWN): void =>
  sendJson(
    response,
    status,
    { message: OWN[status] },
    status === 401 ? { 'www-authenticate': 'Bearer' } : {},
  );

const send = (response: ServerResponse, reply: FunctionReply): void => {
  const { statusCode = 200, headers = {}, body = '', isBase64Encoded } = reply;
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(content) }).end(content);
};

/** Invokes the function of the request's route, or of the default route, if the route's authorizer admits the request. */
const invokeFunction = async (
  { functions, authorize }: Backend,
  match: Match | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const routeKey = match?.routeKey ?? '$default';
  const body = await readBody(request, REQUEST_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const isOperators = match?.endpoint.access.kind === 'operator';
  const judged = isOperators && (await authorize(request.headers.authorization, ADMIN_SCOPE));
  if (judged && 'refused' in judged) return answerItself(response, judged.refused);
  const routed: Routed = { routeKey, ...match, ...judged };
  const operationId = match?.endpoint.id ?? DEFAULT;
  const event = toEvent(request, routed, body);
  if (body.length > SMALL_BODY && Buffer.byteLength(JSON.stringify(event)) > EVENT_LIMIT)
    return answerItself(response, 413);
  const outcome = await functions.get(operationId)?.invoke(event);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  send(response, outcome.reply as FunctionReply);
};

// With the other, administrators could change their own accounts.
const INVOCABLE = COMMANDS.map(({ id }) => id).filter((id) => id !== operatorManage.id);

/** The command that a request invokes, if its path is of that form and the command exists. */
const commandIn = (method: string, path: string): string | undefined => {
  const [, id] = INVOCATION_PATH.exec(path) ?? [];
  return method === 'POST' ? INVOCABLE.find((known) => known === id) : undefined;
};

/** Invokes a command for an operator of the group `admin`. On AWS, IAM decides who may invoke it. */
const invokeCommand = async (
  { functions }: Backend,
  id: string,
  administrator: Omit<CommandEvent, 'input'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await readBody(request, EVENT_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const input = parsedJson(body);
  // As Lambda answers.
  if (input === undefined)
    return sendJson(
      response,
      400,
      { Type: 'User', message: NOT_JSON.message },
      { 'x-amzn-errortype': NOT_JSON.code },
    );
  const outcome = await functions.get(id)?.invoke({ ...administrator, input } satisfies CommandEvent);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  sendJson(response, 200, outcome.reply);
};

/** Finds the route of a request among those of the webhook. */
const webhookRoute = createRouter([webhookGet as Endpoint, webhookSendAgain as Endpoint]);

const GONE = 'This delivery is no longer available. The runner keeps the last 100 since it was started.';

const resultOf = (webhook: Webhook, { endpoint, pathParameters }: Match): object | undefined => {
  if (endpoint.id === webhookGet.id) return { receiver: webhook.receiver, deliveries: webhook.deliveries() };
  const delivery = webhook.sendAgain(pathParameters.deliveryId ?? '');
  return delivery && { delivery };
};

const ENVELOPE = { 'content-type': 'application/json; charset=utf-8' };

/** Answers an administrator about the deliveries to the webhook. */
const answerWebhook = (webhook: Webhook, match: Match, response: ServerResponse): void => {
  const res = resultOf(webhook, match);
  const headers = { ...ENVELOPE, 'cache-control': 'no-store' };
  if (res === undefined) sendJson(response, 404, { err: GONE, res: null }, headers);
  else sendJson(response, 200, { err: null, res }, headers);
};

/** What the gateway forwards to. */
export interface Backend {
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly authorize: JwtAuthorizer;
  readonly operatorOf: (operatorId: string) => Promise<Operator | undefined>;
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
  sendJson(response, 403, { err, res: null }, { ...ENVELOPE, 'cuevault-error': 'forbidden' });
};

const answer = async (
  backend: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (isForIdentity(path)) return backend.identity(request, response);
  const { method = 'GET' } = request;
  const { webhook } = backend;
  const command = commandIn(method, path);
  const delivery = webhook && webhookRoute(method, path);
  if (command !== undefined || delivery) {
    const judged = await administratorOf(backend, request);
    if ('refused' in judged) return answerItself(response, judged.refused);
    if (command !== undefined) return invokeCommand(backend, command, judged, request, response);
    if (webhook && delivery) return answerWebhook(webhook, delivery, response);
  }
  const match = backend.route(method, path);
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
    if (request.method === 'GET' && request.url === '/health')
      return sendJson(response, 200, { status: 'ok' });
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
