import { documentationOf, type OperationId } from '../../contract/documentation.ts';
import { type Endpoint, nothing } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Role } from '../../contract/fields/access.ts';
import { ERROR_STATUS, type ErrorCode } from '../../contract/http/errors.ts';
import { type Reply, type SharedInstance, toReply } from './calls.ts';
import { signedToken } from './operators.ts';

/** A request of an operator, as it is sent. */
export interface Sent {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The operator's groups; `admin` unless said otherwise. */
  readonly groups?: readonly string[] | undefined;
  /** Replaces the operator's token; an empty one sends no header. */
  readonly token?: string | undefined;
}

/** Who calls: an operator of the role, or with the token. `on` is called instead of the instance of the test file. */
export type By = Role | { readonly token?: string | undefined; readonly on?: SharedInstance };

/** An endpoint, or the id of its operation. */
export type Operation = Endpoint | OperationId;

let current: SharedInstance;

/** Makes this the instance that the operators of a test file call. */
export const useInstance = <Opened extends SharedInstance>(instance: Opened): Opened => {
  current = instance;
  return instance;
};

/** The instance that the operators of a test file call. */
export const currentInstance = (): SharedInstance => current;

const endpointOf = (operation: Operation): Endpoint => {
  const found = typeof operation === 'string' ? ENDPOINTS.find(({ id }) => id === operation) : operation;
  if (found === undefined) throw new Error(`There is no endpoint ${operation}.`);
  return found;
};

const pathOf = ({ route }: Endpoint, { params = {}, query = {} }: Sent): string => {
  const path = (route?.path ?? '').replace(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
};

/** Sends a request of an operator over real HTTP. */
export const request = async (
  instance: SharedInstance,
  operation: Operation,
  sent: Sent = {},
): Promise<Reply> => {
  const endpoint = endpointOf(operation);
  const token = sent.token ?? (await signedToken(instance, sent.groups ?? ['admin']));
  const response = await fetch(instance.url + pathOf(endpoint, sent), {
    method: endpoint.route?.method ?? 'GET',
    headers: {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(sent.body === undefined
      ? {}
      : { body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body) }),
  });
  return toReply(response);
};

/** The request in which an endpoint takes the fields, each in its place. */
const requestOf = ({ route, query, body }: Endpoint, fields: object): Sent => {
  const queried = 'shape' in query ? Object.keys(query.shape as object) : [];
  const sent: Record<'params' | 'query' | 'body', Record<string, unknown>> = {
    params: {},
    query: {},
    body: {},
  };
  for (const [name, value] of Object.entries(fields)) {
    const isQueried = queried.includes(name) || body === nothing;
    const place = route?.path.includes(`{${name}}`) ? 'params' : isQueried ? 'query' : 'body';
    if (value !== undefined) sent[place][name] = value;
  }
  return { ...sent, body: body === nothing ? undefined : sent.body };
};

/**
 * Calls an endpoint as an operator, an administrator unless said otherwise. Each field goes where the endpoint takes it. The
 * result, if it has one, must be exactly what the contract says.
 */
export const send = async (operation: Operation, fields: object = {}, by: By = 'admin'): Promise<Reply> => {
  const { token, on = current } = typeof by === 'string' ? {} : by;
  const groups = typeof by === 'string' ? [by] : undefined;
  const endpoint = endpointOf(operation);
  const reply = await request(on, endpoint, { ...requestOf(endpoint, fields), groups, token });
  const { status, json } = reply;
  // The schema strips unknown fields, so a field outside the contract is detected.
  if (status === 200) expect(documentationOf(endpoint).reply.parse(json.res)).toEqual(json.res);
  return reply;
};

/** Calls an endpoint that must succeed, and returns its result. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect replies freely
export const ask = async (operation: Operation, fields: object = {}, by: By = 'admin'): Promise<any> => {
  const { status, json } = await send(operation, fields, by);
  expect([status, json?.err]).toEqual([200, null]);
  return json.res;
};

/** Calls an endpoint that must fail with this code and its status, and returns the message. */
export const refused = async (
  operation: Operation,
  code: ErrorCode,
  fields: object = {},
  by: By = 'admin',
): Promise<string> => {
  const reply = await send(operation, fields, by);
  expect([reply.status, reply.code]).toEqual([ERROR_STATUS[code], code]);
  expect(reply.json).toEqual({ err: expect.stringMatching(/\S.*\.$/s), res: null });
  return reply.json.err;
};

/** What each of the rows has under a name. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect replies freely
export const column = (rows: readonly any[], name: string): readonly any[] => rows.map((row) => row[name]);

/** The refused calls by reason, once there are so many: a line that a function logs may arrive after its reply. */
export const refusedCalls = async (calls: number) => {
  for (;;) {
    const { refused } = await ask('metrics-get');
    if (column(refused, 'calls').reduce((sum, count) => sum + count, 0) >= calls) return refused;
  }
};
