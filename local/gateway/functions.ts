import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import type { LocalFunction } from '../functions/functions.ts';
import { readBody } from '../request-body.ts';
import type { Admission } from './administrator.ts';
import { type Routed, toEvent } from './events.ts';
import type { JwtContext } from './jwt-authorizer.ts';
import type { Match } from './routes.ts';
import type { Throttle } from './throttle.ts';

/** API Gateway's own limit on a request, in bytes. */
const REQUEST_LIMIT = 10 * 1024 * 1024;
/** Lambda's limit on an event, in bytes of JSON. */
export const EVENT_LIMIT = 6 * 1024 * 1024;
/** An event with a body of at most this many bytes is within the limit: JSON makes six bytes of one at most. */
const SMALL_BODY = 512 * 1024;

interface FunctionReply {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

export interface Invoker extends Admission {
  readonly functions: ReadonlyMap<string, LocalFunction>;
  /** @default - requests are not throttled */
  readonly throttle?: Throttle | undefined;
}

const DEFAULT = ENDPOINTS.find(({ route }) => route === undefined)?.id ?? '';

const OWN = {
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Answers with one of API Gateway's own messages, as on AWS. */
export const answerItself = (response: ServerResponse, status: keyof typeof OWN): void => {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...challenge });
  response.end(JSON.stringify({ message: OWN[status] }));
};

const authorization = async (
  { authorize }: Invoker,
  { headers }: IncomingMessage,
  endpoint: Endpoint | undefined,
): Promise<{ readonly jwt?: JwtContext } | { readonly refused: 401 | 403 }> =>
  endpoint?.access.kind === 'operator' ? authorize(headers.authorization, ADMIN_SCOPE) : {};

const send = (response: ServerResponse, reply: FunctionReply): void => {
  const { statusCode = 200, headers = {}, body = '', isBase64Encoded } = reply;
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(content) }).end(content);
};

/** Invokes the function of the request's route, or of the default route, if the route's authorizer admits the request. */
export const invokeFunction = async (
  invoker: Invoker,
  match: Match | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const routeKey = match?.routeKey ?? '$default';
  if (invoker.throttle?.(routeKey) === false) return answerItself(response, 429);
  const body = await readBody(request, REQUEST_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const judged = await authorization(invoker, request, match?.endpoint);
  if ('refused' in judged) return answerItself(response, judged.refused);
  const routed: Routed = { routeKey, ...match, ...judged };
  const operationId = match?.endpoint.id ?? DEFAULT;
  const event = toEvent(request, routed, body);
  if (body.length > SMALL_BODY && Buffer.byteLength(JSON.stringify(event)) > EVENT_LIMIT)
    return answerItself(response, 413);
  const outcome = await invoker.functions.get(operationId)?.invoke(event);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  send(response, outcome.reply as FunctionReply);
};
