import { Agent, request } from 'node:http';
import { openApi } from '../../contract/documentation/openapi.ts';
import { documentationOf } from '../../contract/documentation.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { HEADERS } from '../../contract/http/errors.ts';
import type { Json } from '../support/vectors.ts';
import { createDice, type Dice, hostileText, type Known, mutated, textOf, valueFor } from './values.ts';

// Sends requests that derive from docs/openapi.json and from hostile mutations of them, and compares each reply with
// what the document declares.

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

const { paths, components } = openApi(ENDPOINTS) as Json;

const declaredResponse = ({ responses }: Json, status: number): Json | undefined => {
  const response = responses[status];
  return response?.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1)];
};
const ROUTES: readonly Route[] = Object.entries<Json>(paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'];

/** What is sent. */
interface Probe {
  readonly method: string;
  readonly target: string;
  readonly body: Buffer | undefined;
  /** The route that was meant, unless the method or path was changed. */
  readonly route: Route | undefined;
}

const targetOf = (dice: Dice, route: Route, known: Known): string => {
  const values: Json[] = (route.operation.parameters ?? []).flatMap((parameter: Json) => {
    if (parameter.in === 'query' && !parameter.required && !dice.oneIn(2)) return [];
    const value = dice.oneIn(4)
      ? hostileText(dice)
      : String(valueFor(dice, parameter.schema, parameter.name, known));
    return [{ ...parameter, value: encodeURIComponent(value.toWellFormed()) }];
  });
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return values.find((each) => each.in === 'path' && each.name === name)?.value || 'x';
  });
  const query = values.filter((each) => each.in === 'query').map(({ name, value }) => `${name}=${value}`);
  if (dice.oneIn(20)) query.push(`${encodeURIComponent(hostileText(dice).toWellFormed())}=1`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
};

/** The next request. A path parameter with a slash changes the route, as in API Gateway. */
const nextProbe = (dice: Dice, known: Known): Probe => {
  const meant = dice.pick(ROUTES);
  const target = targetOf(dice, meant, known);
  const path = target.split('?')[0] ?? '';
  const method = dice.oneIn(25) ? dice.pick(METHODS) : meant.method;
  const isSame = method === meant.method && path.split(/\/|%2F/i).length === meant.path.split('/').length;
  const schema = meant.operation.requestBody?.content['application/json'].schema;
  const valid = schema === undefined ? undefined : valueFor(dice, schema, '', known);
  const body = schema === undefined ? undefined : textOf(dice, dice.oneIn(2) ? mutated(dice, valid) : valid);
  return { method, target, body, route: isSame ? meant : undefined };
};

interface ProbeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Whether the request is for the route of Langfuse's clients, which has its own form of replies and of credentials. */
const isForLangfuse = ({ method, target }: Probe): boolean =>
  ['GET', 'HEAD'].includes(method) && target.startsWith('/api/public/v2/prompts/');

const authorizationOf = (probe: Probe, token: string): string =>
  isForLangfuse(probe) ? `Basic ${Buffer.from(`:${token}`).toString('base64')}` : `Bearer ${token}`;

/** Sends a request as it is, without the checks of `fetch`. */
const sendProbe = (url: string, probe: Probe, token: string | undefined, agent: Agent): Promise<ProbeReply> =>
  new Promise((resolve, reject) => {
    const { host, hostname, port } = new URL(url);
    const headers = {
      host,
      ...(token === undefined ? {} : { authorization: authorizationOf(probe, token) }),
      ...(probe.body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': probe.body.length }),
    };
    const { method, target: path } = probe;
    const call = request(
      { hostname: hostname.replace(/[[\]]/g, ''), port, agent, headers, setHost: false, method, path },
      async (response) => {
        let text = '';
        response.setEncoding('utf8');
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      },
    );
    call.on('error', reject);
    call.end(probe.body);
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isEnvelope = (value: unknown): value is { err: string | null; res: unknown } =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'err,res';

/** The reply of Langfuse's form as an envelope. */
const fromLangfuse = (status: number, body: unknown): unknown => {
  if (status === 200) return { err: null, res: body };
  const { message, error, ...others } = (body ?? {}) as Record<string, unknown>;
  const isError =
    typeof message === 'string' && typeof error === 'string' && Object.keys(others).length === 0;
  return isError ? { err: message, res: null } : body;
};

// The gateway answers a missing or invalid token itself.
const isGatewayReply = ({ status, headers, text }: ProbeReply): boolean =>
  [401, 403].includes(status) && headers[HEADERS.error] === undefined && /^\{"message":"\w+"\}$/.test(text);

const problemOfSuccess = (route: Route, res: unknown): string | undefined => {
  const endpoint = ENDPOINTS.find(({ id }) => id === route.operation.operationId);
  const outcome = endpoint && documentationOf(endpoint).reply.safeParse(res);
  return outcome?.success === false
    ? `the result does not match its schema: ${outcome.error.message}`
    : undefined;
};

/** What is wrong with a reply, or undefined. */
const problemOf = (probe: Probe, reply: ProbeReply): string | undefined => {
  const { method, route } = probe;
  const { status, headers } = reply;
  if (status >= 500) return `${status} ${reply.text}`;
  if (isGatewayReply(reply) || method === 'HEAD') return undefined;
  const body = parsed(reply.text);
  const envelope = isForLangfuse(probe) ? fromLangfuse(status, body) : body;
  if (!isEnvelope(envelope)) return `${status} without an envelope: ${reply.text.slice(0, 200)}`;
  if ((envelope.err === null) !== (status === 200)) return `${status} with err ${envelope.err}`;
  if (status === 405 && headers.allow === undefined) return '405 without allow';
  if (route === undefined) return undefined;
  const declared = declaredResponse(route.operation, status);
  if (declared === undefined) return `${status} ${String(headers[HEADERS.error])} is not declared`;
  if (status === 200) return problemOfSuccess(route, envelope.res);
  const codes = declared.headers?.[HEADERS.error]?.schema?.enum ?? [];
  const code = String(headers[HEADERS.error]);
  return codes.includes(code) ? undefined : `the code ${code} is not declared for ${status}`;
};

/** What the replies were. */
export interface FuzzReport {
  /** Their number, by status. */
  readonly statuses: Record<number, number>;
  /** The first example of each problem. */
  readonly problems: Map<string, string>;
}

const AT_ONCE = 8;

/** Sends `count` requests with a token, or without one, and adds to the report: every problem once for each operation. */
export const fuzz = async (
  url: string,
  token: string | undefined,
  { seed, count, known }: { readonly seed: number; readonly count: number; readonly known: Known },
  { statuses, problems }: FuzzReport,
): Promise<void> => {
  const dice = createDice(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = count;
  const sender = async () => {
    while (left-- > 0) {
      const probe = nextProbe(dice, known);
      const reply = await sendProbe(url, probe, token, agent);
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      const problem = problemOf(probe, reply);
      if (problem === undefined) continue;
      const body = probe.body?.toString().slice(0, 300) ?? '';
      const kind = `${probe.route?.operation.operationId ?? probe.method} ${problem.slice(0, 60)}`;
      if (!problems.has(kind)) problems.set(kind, `${probe.method} ${probe.target} ${body}\n  ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  agent.destroy();
};
