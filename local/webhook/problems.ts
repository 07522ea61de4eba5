/** Codes of Node.js and undici, in words for operators. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The receiver closed the connection.',
  ENOTFOUND: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host cannot be reached.',
  UND_ERR_SOCKET: 'The receiver closed the connection.',
};

interface Failure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

const failureOf = (error: unknown): Failure => (typeof error === 'object' && error !== null ? error : {});

/**
 * Says in one sentence why `fetch` failed. It does not use the messages of its errors, because they can contain the
 * address, and so a token.
 */
export const problemOf = (error: unknown, timeoutMs: number): string => {
  const { name, cause } = failureOf(error);
  if (name === 'TimeoutError') return `The receiver did not answer within ${timeoutMs / 1000} seconds.`;
  const { code } = failureOf(cause);
  return typeof code === 'string'
    ? (CODES[code] ?? `The connection failed (${code}).`)
    : 'The connection failed.';
};
