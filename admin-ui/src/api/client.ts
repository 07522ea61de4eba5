import type * as z from 'zod/mini';
import type { ResultOf } from '../../../contract/documentation.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { sessionGet } from '../../../contract/endpoints/service.ts';
import { type Envelope, type ErrorCode, HEADERS } from '../../../contract/http/errors.ts';
import { ApiError, isRefusal, messageOf, Unreachable } from './api-error.ts';
import type { Session } from './session.ts';

type Sent<Value> = Value extends object ? { readonly [Name in keyof Value]: Sent<Value[Name]> } : Value;

export interface CallInput<E extends Endpoint = Endpoint> {
  /** Parts of the path, by name. */
  readonly params?: z.input<E['params']>;
  readonly query?: {
    readonly [Name in keyof z.input<E['query']>]: z.input<E['query']>[Name] | number | boolean;
  };
  readonly body?: Sent<z.input<E['body']>>;
  readonly signal?: AbortSignal | undefined;
}

/** The query parameters of an endpoint. */
export type QueryOf<E extends Endpoint> = NonNullable<CallInput<E>['query']>;

export type ReplyOf<E extends Endpoint> = ResultOf<E['id']>;

let session: Session | undefined;

/** Sets the session whose tokens the calls send. */
export const connect = (opened: Session): void => {
  session = opened;
};

const fill = (path: string, params: object): string => {
  const texts = new Map(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(texts.get(name) ?? ''));
};

const search = (query: object): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([k, v]) => [k, String(v)]))}`;
};

// Of `fetch`, a network failure is the same class as a mistake in this code.
const unreachable = (error: unknown): never => {
  throw error instanceof TypeError ? new Unreachable(error) : error;
};

const GATEWAY_SENTENCES: Readonly<Record<number, string>> = {
  401: 'You are no longer signed in.',
  403: 'You do not have permission to do this.',
  429: 'Too many requests at once. Wait a moment and try again.',
};

const refusal = async (response: Response): Promise<ApiError> => {
  const code = response.headers.get(HEADERS.error) as ErrorCode | null;
  const requestId = response.headers.get(HEADERS.requestId);
  const body = (await response.json().catch(() => undefined)) as Envelope<unknown> | undefined;
  const sentence =
    body?.err ?? GATEWAY_SENTENCES[response.status] ?? 'The service could not answer. Try again in a moment.';
  return new ApiError(sentence, {
    status: response.status,
    code: code ?? undefined,
    requestId: requestId ?? undefined,
  });
};

/**
 * Calls an operation of the service as the signed-in operator. A rejected token is renewed once; if the session has
 * ended, the call waits until the operator has signed in again. Throws `ApiError` if the service rejects the call,
 * `Unreachable` if the service cannot be reached.
 */
export const call = async <E extends Endpoint>(
  endpoint: E,
  { params, query, body, signal }: CallInput<E> = {},
): Promise<ReplyOf<E>> => {
  if (session === undefined || endpoint.route === undefined) throw new Error('Not connected.');
  const { method, path } = endpoint.route;
  const url = fill(path, params ?? {}) + search(query ?? {});
  const send = (token: string): Promise<Response> =>
    fetch(url, {
      method,
      cache: 'no-store',
      signal: signal ?? null,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    }).catch(unreachable);
  const token = await session.token();
  let response = await send(token);
  if (response.status === 401) response = await send(await session.tokenAfter(token));
  if (!response.ok) throw await refusal(response);
  return ((await response.json().catch(unreachable)) as { res: ReplyOf<E> }).res;
};

/** Who the operator is, and what each screen needs; or why whoever is signed in is no operator. */
export type SessionState = Partial<ReplyOf<typeof sessionGet>> & { readonly refusal?: string };

/**
 * Asks the service who is signed in. This only decides what the UI shows; the service decides what is allowed, with
 * each call. Errors: those of `call`, but not `forbidden`.
 */
export const readSession = (signal?: AbortSignal): Promise<SessionState> =>
  call(sessionGet, { signal }).catch((error: unknown) => {
    if (isRefusal(error, 'forbidden')) return { refusal: messageOf(error) };
    throw error;
  });
