import { sessionGet } from '../../../contract/endpoints/service.ts';
import { isRefusal, messageOf } from './api-error.ts';
import { call, type ReplyOf } from './client.ts';

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
