import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JwtContext } from './jwt-authorizer.ts';
import { decoded } from './routes.ts';

/** Bodies of these types reach the function as text; those of any other type, or of none, in Base64. */
const TEXT_TYPES = /^(text\/|application\/(json|javascript|xml)\s*(;|$))/i;

/** Facts about a request that are not part of it. */
export interface Routed {
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Where the route has a JWT authorizer. */
  readonly jwt?: JwtContext;
}

const joined = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'cookie')
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]),
  );

// The values of a repeated parameter are joined by commas.
const queryOf = (rawQueryString: string): Record<string, string> => {
  const parameters = new URLSearchParams(rawQueryString);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]));
};

// As in access logs: 05/Apr/2026:09:03:58 +0000
const logTime = (now: Date): string => {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
};

const contextOf = (
  request: IncomingMessage,
  path: string,
  userAgent: string,
  { routeKey, jwt }: Routed,
  now = new Date(),
) => ({
  accountId: '000000000000',
  apiId: 'local',
  ...(jwt && { authorizer: { jwt } }),
  domainName: request.headers.host ?? 'localhost',
  domainPrefix: 'local',
  http: {
    method: request.method ?? 'GET',
    path,
    protocol: `HTTP/${request.httpVersion}`,
    sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
    userAgent,
  },
  requestId: randomUUID(),
  routeKey,
  stage: '$default',
  time: logTime(now),
  timeEpoch: now.getTime(),
});

/** The event that an HTTP API sends to a function: payload format 2.0. */
export const toEvent = (request: IncomingMessage, routed: Routed, body: Buffer) => {
  const { cookie } = request.headers;
  const { routeKey, pathParameters = {} } = routed;
  const [rawPath = '/', ...query] = (request.url ?? '/').split('?');
  const rawQueryString = query.join('?');
  const headers = joined(request.headers);
  const asText = TEXT_TYPES.test(headers['content-type'] ?? '');
  const path = decoded(rawPath);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: contextOf(request, path, headers['user-agent'] ?? '', routed),
    ...(body.length > 0 ? { body: body.toString(asText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !asText,
  };
};
