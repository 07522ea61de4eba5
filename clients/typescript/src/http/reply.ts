import {
  AuthenticationError,
  type CuevaultError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitedError,
  UnavailableError,
} from '../errors.ts';
import { invalidReply } from '../refusals.ts';
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
const MOST_BYTES = 8_000_000;

/** The bytes of a reply, read no further than `MOST_BYTES`. Errors: `invalid_reply`. */
export const contentOf = async (reply: Reply): Promise<ArrayBuffer> => {
  const reader = reply.body?.getReader();
  if (reader === undefined) return reply.arrayBuffer();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = MOST_BYTES;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).arrayBuffer();
    chunks.push(value as Uint8Array<ArrayBuffer>);
    left -= value.length;
    if (left < 0) {
      reader.cancel().catch(() => undefined);
      throw invalidReply('The reply is longer than 8 MB.');
    }
  }
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

/** What is known of replies that do not come from Cuevault. */
const FOREIGN: { readonly [status: number]: readonly [code: string, message: string] } = {
  413: ['body_too_large', 'The request is too large.'],
  429: ['rate_limited', 'Too many requests.'],
};

/** Seconds that a reply asks to wait (RFC 9110, 10.2.3: seconds or a date), undefined if it does not. */
export const retryAfterOf = (reply: Reply): number | undefined => {
  const text = reply.headers.get('retry-after');
  if (text === null) return undefined;
  // Date.parse finds a date in nearly everything; those of HTTP end in GMT.
  const seconds = /^\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : (Date.parse(/ GMT$/.test(text) ? text : '') - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

/** The error that a reply describes; without `err`, that of a reply of a proxy, the gateway or another program. */
const errorOf = (reply: Reply, err?: string): CuevaultError => {
  const { status, headers } = reply;
  const isFailure = status >= 500;
  const [own, known] = FOREIGN[status] ?? [isFailure ? 'unavailable' : 'invalid_reply'];
  const code = (err && headers.get('cuevault-error')) || own;
  const retryAfter = status === 429 || status === 503 ? retryAfterOf(reply) : undefined;
  const again =
    retryAfter === undefined ? 'Try again shortly.' : `Try again in ${Math.ceil(retryAfter)} seconds.`;
  const hint = isFailure || status === 429 ? ` ${again}` : known ? '' : ' Check the address and any proxy.';
  const message = err ?? (known ?? `The reply with status ${status} does not come from Cuevault.`) + hint;
  const isTold = (err ?? known) !== undefined;
  return new ((isTold ? CLASSES[status] : undefined) ?? UnavailableError)(message, {
    code,
    status,
    requestId: headers.get('cuevault-request-id') ?? undefined,
    retryAfter,
  });
};

/** The JSON in a body, undefined if it is none. */
// The parser's own error quotes its input, which may be a secret. Bytes that are not UTF-8 are an error: replacing them
// would silently change a secret.
export const parseJson = (body: ArrayBuffer): unknown => {
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
  if (!isObject(envelope) || !('res' in envelope)) throw errorOf(reply);
  const { err, res } = envelope;
  if (typeof err === 'string' && err !== '') throw errorOf(reply, err);
  if (reply.status !== 200 || err !== null || !isObject(res)) throw errorOf(reply);
  return res;
};

/** Whether the same request may succeed a moment later. */
export const isRetryable = (error: CuevaultError): boolean =>
  error.code === 'connection_failed' || [429, 502, 503, 504].includes(error.status ?? 0);
