import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS, type CommandEvent, operatorManage } from '../../contract/functions/commands.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import { isCuevaultError } from '../../lambdas/core/errors.ts';
import { admitOperator, type Operator, operatorIdIn } from '../../lambdas/core/operators.ts';
import { INVOCATION_PATH, NOT_JSON } from '../aws/lambda.ts';
import type { LocalFunction } from '../functions/functions.ts';
import { parsedJson, readBody } from '../request-body.ts';
import { type Routed, toEvent } from './events.ts';
import type { JwtAuthorizer } from './jwt-authorizer.ts';
import type { Match } from './routes.ts';

/** What tells administrators from others: their tokens, and their records. */
export interface Admission {
  readonly authorize: JwtAuthorizer;
  readonly operatorOf: (operatorId: string) => Promise<Operator | undefined>;
}

/** Who makes a request, if they are an operator of the group `admin`. */
export const administratorOf = async (
  { authorize, operatorOf }: Admission,
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

export interface Invoker extends Admission {
  readonly functions: ReadonlyMap<string, LocalFunction>;
}

const DEFAULT = ENDPOINTS.find(({ route }) => route === undefined)?.id ?? '';

const OWN = {
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Answers with one of API Gateway's own messages, as on AWS. */
export const answerItself = (response: ServerResponse, status: keyof typeof OWN): void => {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...challenge });
  response.end(JSON.stringify({ message: OWN[status] }));
};

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
  const body = await readBody(request, REQUEST_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const isOperators = match?.endpoint.access.kind === 'operator';
  const judged = isOperators && (await invoker.authorize(request.headers.authorization, ADMIN_SCOPE));
  if (judged && 'refused' in judged) return answerItself(response, judged.refused);
  const routed: Routed = { routeKey, ...match, ...judged };
  const operationId = match?.endpoint.id ?? DEFAULT;
  const event = toEvent(request, routed, body);
  if (body.length > SMALL_BODY && Buffer.byteLength(JSON.stringify(event)) > EVENT_LIMIT)
    return answerItself(response, 413);
  const outcome = await invoker.functions.get(operationId)?.invoke(event);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  send(response, outcome.reply as FunctionReply);
};

// With the other, administrators could change their own accounts.
const INVOCABLE = COMMANDS.map(({ id }) => id).filter((id) => id !== operatorManage.id);

/** The command that a request invokes, if its path is of that form and the command exists. */
export const commandIn = (method: string, path: string): string | undefined => {
  const [, id] = INVOCATION_PATH.exec(path) ?? [];
  return method === 'POST' ? INVOCABLE.find((known) => known === id) : undefined;
};

/** Answers as Lambda does when a body is not JSON. */
const refuseBody = (response: ServerResponse): void => {
  response
    .writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': NOT_JSON.code })
    .end(JSON.stringify({ Type: 'User', message: NOT_JSON.message }));
};

/** Invokes a command for an operator of the group `admin`. On AWS, IAM decides who may invoke it. */
export const invokeCommand = async (
  { functions, ...admission }: Invoker,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const judged = await administratorOf(admission, request);
  if ('refused' in judged) return answerItself(response, judged.refused);
  const body = await readBody(request, EVENT_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const input = parsedJson(body);
  if (input === undefined) return refuseBody(response);
  const event: CommandEvent = { ...judged, input };
  const outcome = await functions.get(id)?.invoke(event);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome.reply));
};
