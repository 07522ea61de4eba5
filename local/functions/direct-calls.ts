import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { type Access, judge, type Permissions, TARGETS } from './accesses.ts';

/** Where a thread calls the engine. */
export interface EngineAddress {
  readonly host: string;
  readonly port: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A function that calls the engine. */
export interface Caller {
  readonly operationId: string;
  readonly permissions: Permissions;
}

/** What a thread tells the runner about a function's calls. */
export type Notice =
  | { readonly denied: Access }
  | { readonly wrote: true }
  | { readonly target: string; readonly body: unknown };

/** What succeeds when a call has changed the table. */
export const WRITING = /\.(Put|Update|Delete|(Batch|Transact)Write)Items?$/;

/** A thread need not tell about each write: the stream is read after a longer time. */
const TELL_MS = 50;

const denial = ({ action, on }: Access): Error =>
  Object.assign(new Error(`Not authorized to perform ${action} on ${JSON.stringify(on)}.`), {
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  });

type Callback = (response: IncomingMessage) => void;

/**
 * Sends this thread's calls of DynamoDB to the engine, after a check of what the function that calls may do. Tells about
 * denied calls, soon about writes, and about a function's first call of each kind: with a target and grants that no call
 * before it had.
 */
export const callDirectly = (
  { headers: own, ...address }: EngineAddress,
  caller: () => Caller,
  tell: (operationId: string, notice: Notice) => void,
): void => {
  const http = process.getBuiltinModule('node:http');
  const { request } = http;
  const known = new Set<string>();
  const told = new Map<string, number>();

  const check = ({ operationId, permissions }: Caller, target: string, text: string): void => {
    const body: unknown = JSON.parse(text);
    const judged = judge(permissions, target, body);
    if ('denied' in judged) {
      tell(operationId, judged);
      throw denial(judged.denied);
    }
    const kind = `${operationId} ${target} ${[...judged.used].join()}`;
    if (known.has(kind)) return;
    known.add(kind);
    tell(operationId, { target, body });
  };

  const wrote = (operationId: string, { statusCode }: IncomingMessage): void => {
    const now = performance.now();
    if (statusCode !== 200 || now < (told.get(operationId) ?? Number.NEGATIVE_INFINITY) + TELL_MS) return;
    told.set(operationId, now);
    tell(operationId, { wrote: true });
  };

  // The SDK passes the options as an object and the body to `end`.
  http.request = ((options: RequestOptions, onResponse: Callback): ClientRequest => {
    const headers = options.headers as Readonly<Record<string, string>> | undefined;
    const target = headers?.['x-amz-target'] ?? '';
    if (!target.startsWith(TARGETS.dynamoDb)) return request(options, onResponse);
    const by = caller();
    const sent = request({ ...options, ...address, headers: { ...headers, ...own } }, onResponse);
    if (WRITING.test(target)) sent.once('response', (response) => wrote(by.operationId, response));
    const end = sent.end.bind(sent);
    sent.end = (body: unknown) => {
      try {
        check(by, target, String(body));
      } catch (error) {
        sent.destroy();
        throw error;
      }
      return end(body);
    };
    return sent;
  }) as typeof request;
};
