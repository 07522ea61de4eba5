import { allowedMethods } from '../../contract/http/allowed-methods.ts';
import { CuevaultError } from '../core/errors.ts';
import { MethodNotAllowed } from '../http/method-not-allowed.ts';
import { httpStack } from '../http/stack.ts';

const hintFor = (path: string): string =>
  /^\/api\/admin(\/|$)/.test(path)
    ? 'See docs/openapi.json for the admin API.'
    : 'Applications call POST /api/prompt/get-compiled and POST /api/vault/get-secrets.';

/** Answers requests that match no route. */
export const handler = httpStack(async ({ requestContext: { http } }) => {
  const allowed = allowedMethods(http.path);
  if (allowed.length > 0) throw new MethodNotAllowed(http.method, http.path, allowed);
  throw new CuevaultError(
    'route_not_found',
    `There is no ${http.method} ${http.path}. ${hintFor(http.path)}`,
  );
});
