/** The envelope of every reply. On success `err` is null; on failure `err` is one clear sentence and `res` is null. */
export type Envelope<Result> =
  | { readonly err: null; readonly res: Result }
  | { readonly err: string; readonly res: null };

/** Custom response headers. */
export const HEADERS = {
  error: 'cuevault-error',
  requestId: 'cuevault-request-id',
} as const;
