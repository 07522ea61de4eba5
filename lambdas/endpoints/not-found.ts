import { CuevaultError } from '../core/errors.ts';
import { httpStack } from '../http/stack.ts';

/** Answers what no other route takes. */
export const handler = httpStack(async ({ requestContext: { http } }) => {
  throw new CuevaultError(
    'route_not_found',
    `There is no ${http.method} ${http.path}. Applications call POST /api/prompt/get-compiled and POST /api/vault/get-secrets.`,
  );
});
