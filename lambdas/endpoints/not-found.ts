import { allowedMethods } from '../../contract/endpoints/allowed-methods.ts';
import { CuevaultError } from '../core/errors.ts';
import { httpStack } from '../http/stack.ts';

const hintFor = (path: string) =>
  /^\/api\/admin(\/|$)/.test(path)
    ? 'See docs/openapi.json for the admin API.'
    : 'Applications call POST /api/prompt/get-compiled and POST /api/vault/get-secrets.';

export const handler = httpStack(async ({ requestContext: { http } }) => {
  const allow = allowedMethods(http.path).join(', ');
  if (allow !== '') {
    const sentence = `${http.path} does not support ${http.method}. Use ${allow}.`;
    // RFC 9110 requires the header.
    throw new CuevaultError('method_not_allowed', sentence, { headers: { allow } });
  }
  throw new CuevaultError(
    'route_not_found',
    `There is no ${http.method} ${http.path}. ${hintFor(http.path)}`,
  );
});
