import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { type Access, judge, type Permissions, TARGETS } from './accesses.ts';

/** How the thread of a function calls the engine. */
export interface Direct {
  /** Address of the engine. */
  readonly host: string;
  readonly port: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}

/** What the thread of a function tells the runner about its calls. */
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
 * Sends this thread's calls of DynamoDB to the engine, after a check of what the function may do. Tells about denied
 * calls, soon about writes, and about the first call of each kind: with a target and grants that no call before it had.
 */
export const callDirectly = (direct: Direct, tell: (notice: Notice) => void): void => {
  const http = process.getBuiltinModule('node:http');
  const { request } = http;
  const { permissions, headers: own, ...address } = direct;
  const known = new Set<string>();
  let told = Number.NEGATIVE_INFINITY;

  const check = (target: string, text: string): void => {
    const body: unknown = JSON.parse(text);
    const judged = judge(permissions, target, body);
    if ('denied' in judged) {
      tell(judged);
      throw denial(judged.denied);
    }
    const kind = `${target} ${[...judged.used].join()}`;
    if (known.has(kind)) return;
    known.add(kind);
    tell({ target, body });
  };

  const wrote = ({ statusCode }: IncomingMessage): void => {
    if (statusCode !== 200 || performance.now() < told + TELL_MS) return;
    told = performance.now();
    tell({ wrote: true });
  };

  // The SDK passes the options as an object and the body to `end`.
  http.request = ((options: RequestOptions, onResponse: Callback): ClientRequest => {
    const headers = options.headers as Readonly<Record<string, string>> | undefined;
    const target = headers?.['x-amz-target'] ?? '';
    if (!target.startsWith(TARGETS.dynamoDb)) return request(options, onResponse);
    const sent = request({ ...options, ...address, headers: { ...headers, ...own } }, onResponse);
    if (WRITING.test(target)) sent.once('response', wrote);
    const end = sent.end.bind(sent);
    sent.end = (body: unknown) => {
      try {
        check(target, String(body));
      } catch (error) {
        sent.destroy();
        throw error;
      }
      return end(body);
    };
    return sent;
  }) as typeof request;
};
