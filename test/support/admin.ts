import { documentationOf, type OperationId } from '../../contract/documentation.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { type Reply, type SharedInstance, toReply } from './calls.ts';
import { operatorIdOf, tokenWith } from './operators.ts';

/** What an operator sends. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The operator's groups; `admin` unless said otherwise. */
  readonly groups?: readonly string[];
  /** Replaces the operator's token; an empty one sends no header. */
  readonly token?: string;
}

/** An endpoint, or the id of its operation. */
export type Operation = Endpoint | OperationId;

const endpointOf = (operation: Operation): Endpoint => {
  const found = typeof operation === 'string' ? ENDPOINTS.find(({ id }) => id === operation) : operation;
  if (found === undefined) throw new Error(`There is no endpoint ${operation}.`);
  return found;
};

const pathOf = ({ route }: Endpoint, { params = {}, query = {} }: Sent): string => {
  const path = (route?.path ?? '').replace(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
};

// Signed by the instance like the token of a real sign-in, but created much faster.
const tokenOf = async (instance: SharedInstance, groups: readonly string[]): Promise<string> =>
  tokenWith(instance, { username: await operatorIdOf(instance, groups) });

/** Calls an endpoint for operators over real HTTP. */
export const send = async (
  instance: SharedInstance,
  operation: Operation,
  sent: Sent = {},
): Promise<Reply> => {
  const endpoint = endpointOf(operation);
  const token = sent.token ?? (await tokenOf(instance, sent.groups ?? ['admin']));
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

/** Calls an endpoint that must succeed, and returns its result, which is exactly what the contract says. */
// biome-ignore lint/suspicious/noExplicitAny: tests inspect replies freely
export const ask = async (instance: SharedInstance, operation: Operation, sent: Sent = {}): Promise<any> => {
  const { status, json } = await send(instance, operation, sent);
  expect([status, json?.err]).toEqual([200, null]);
  // The schema strips unknown fields, so a field outside the contract is detected.
  expect(documentationOf(endpointOf(operation)).reply.parse(json.res)).toEqual(json.res);
  return json.res;
};

/** Calls an endpoint that must fail with this code, and returns the message. */
export const refused = async (
  instance: SharedInstance,
  operation: Operation,
  code: string,
  sent: Sent = {},
): Promise<string> => {
  const reply = await send(instance, operation, sent);
  expect([reply.code, reply.json]).toEqual([code, { err: expect.stringMatching(/\S.*\.$/s), res: null }]);
  return reply.json.err;
};

/** The refused calls by reason, once there are so many: a line that a function logs may arrive after its reply. */
export const refusedCalls = async (instance: SharedInstance, calls: number) => {
  for (;;) {
    const { refused } = await ask(instance, 'metrics-get', { groups: ['viewer'] });
    const counts: number[] = refused.map(({ calls: count }: { calls: number }) => count);
    if (counts.reduce((sum, count) => sum + count, 0) >= calls) return refused;
  }
};
