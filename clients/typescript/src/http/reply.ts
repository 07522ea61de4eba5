import {
  AuthenticationError,
  type CuevaultError,
  InvalidRequestError,
  invalidReply,
  NotFoundError,
  PermissionDeniedError,
  RateLimitedError,
  UnavailableError,
} from '../errors.ts';
import { isObject } from '../wire.ts';

/** The part of a fetch Response that is used. */
export interface Reply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Absent if all of it was read. */
  readonly body?: ReadableStream<Uint8Array> | null | undefined;
}

/** The most bytes of a reply, decompressed: more than the service can send. */
export const MOST_BYTES = 8_000_000;

/** The error for a longer reply. */
export const tooLong = (): UnavailableError => invalidReply('The reply is longer than 8 MB.');

/** The bytes of a reply, read no further than `MOST_BYTES`. Errors: `invalid_reply`. */
export const contentOf = async (reply: Reply): Promise<ArrayBuffer> => {
  const reader = reply.body?.getReader();
  if (reader === undefined) return reply.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size > MOST_BYTES) throw tooLong();
  }
  const content = new Uint8Array(size);
  for (const chunk of chunks) {
    size -= chunk.length;
    content.set(chunk, content.length - size - chunk.length);
  }
  return content.buffer;
};

const CLASSES: { readonly [status: number]: typeof CuevaultError } = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: InvalidRequestError,
  413: InvalidRequestError,
  429: RateLimitedError,
};

/** What is known of replies that do not come from Cuevault: code and message. */
const FOREIGN: { readonly [status: number]: readonly [string, string] } = {
  413: ['body_too_large', 'The request is too large.'],
  429: ['rate_limited', 'Too many requests. Try again shortly.'],
};

/** Seconds that a reply asks to wait (RFC 9110, 10.2.3: seconds or a date), undefined if it does not. */
const retryAfterOf = (reply: Reply): number | undefined => {
  const text = reply.headers.get('retry-after');
  if (text === null) return undefined;
  // Date.parse finds a date in nearly everything; those of HTTP end in GMT.
  const seconds = /^\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : (Date.parse(/ GMT$/.test(text) ? text : '') - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

const failure = (reply: Reply, message: string, code: string): CuevaultError => {
  const { status } = reply;
  const requestId = reply.headers.get('cuevault-request-id') ?? undefined;
  const retryAfter = status === 429 || status === 503 ? retryAfterOf(reply) : undefined;
  // The issuer of a token has new keys: what is known stays valid until the service has them too.
  const isRotation = code === 'unknown_signing_key';
  return new ((isRotation ? undefined : CLASSES[status]) ?? UnavailableError)(message, {
    code,
    status,
    requestId,
    retryAfter,
  });
};

const codeOf = (status: number): string =>
  FOREIGN[status]?.[0] ?? (status >= 500 ? 'unavailable' : 'invalid_reply');

/** The error for a reply of a proxy, the gateway or another program. Only its status counts. */
const foreign = (reply: Reply): CuevaultError => {
  const { status } = reply;
  const code = codeOf(status);
  const [, message] = FOREIGN[status] ?? [];
  if (message !== undefined) return failure(reply, message, code);
  const sentence = `The reply with status ${status} does not come from Cuevault.`;
  if (status >= 500) return failure(reply, `${sentence} Try again shortly.`, code);
  return new UnavailableError(`${sentence} Check the address and any proxy.`, { code, status });
};

// The parser's own error quotes its input, which may be a secret. Bytes that are not UTF-8 are an error: replacing them
// would silently change a secret.
const parseJson = (body: ArrayBuffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

/**
 * The result in a reply. A reply comes from Cuevault if its body is an object with `err` and `res`, whatever its
 * content type.
 * Errors: the one that the reply describes.
 */
export const resultOf = (reply: Reply, body: ArrayBuffer): Record<string, unknown> => {
  const envelope = parseJson(body);
  if (!isObject(envelope) || !('res' in envelope)) throw foreign(reply);
  const { err, res } = envelope;
  if (typeof err === 'string' && err !== '') {
    throw failure(reply, err, reply.headers.get('cuevault-error') ?? codeOf(reply.status));
  }
  if (reply.status !== 200 || err !== null || !isObject(res)) throw foreign(reply);
  return res;
};

/** Whether the same request may succeed a moment later. */
export const isRetryable = (error: CuevaultError): boolean =>
  error.code === 'connection_failed' || [429, 502, 503, 504].includes(error.status ?? 0);
