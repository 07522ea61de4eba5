import { keyIn } from '../core/api-keys/api-keys.ts';
import type { KeyForm } from './key-endpoint.ts';

const LANGFUSE_ERRORS: Readonly<Record<number, string>> = {
  400: 'InvalidRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'LangfuseNotFoundError',
};

/** An API key that is the password of HTTP Basic authentication; the user name does not matter. */
const basicOf: KeyForm['credentialOf'] = (header) => {
  const [, credentials = ''] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '') ?? [];
  const text = Buffer.from(credentials, 'base64').toString();
  return keyIn(text.slice(text.indexOf(':') + 1));
};

/** The form that Langfuse's clients expect: HTTP Basic, no envelope, and errors of their names. */
export const LANGFUSE: KeyForm = {
  credentialOf: basicOf,
  success: (result) => result,
  failure: (message, code, status) => ({
    message:
      code === 'unauthenticated'
        ? 'A valid API key is required as the secret key: one that is neither expired nor revoked.'
        : message,
    error: LANGFUSE_ERRORS[status] ?? 'InternalServerError',
  }),
};
