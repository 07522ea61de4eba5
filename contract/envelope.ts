/** What every reply looks like: `err` is null on success; on failure it is one clear sentence and `res` is null. */
export type Envelope<Result> =
  | { readonly err: null; readonly res: Result }
  | { readonly err: string; readonly res: null };

/** Reply headers of our own. */
export const HEADERS = {
  error: 'cuevault-error',
  requestId: 'cuevault-request-id',
} as const;
