import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const APPLICATIONS = 'Applications call POST /api/prompt/get-compiled and POST /api/vault/get-secrets.';
const ADMIN = 'See docs/openapi.json for the admin API.';

test.each([
  ['GET', '/nowhere', APPLICATIONS],
  ['POST', '/api/vault/get-secrets/', APPLICATIONS],
  ['DELETE', '/%E0%A4%A', APPLICATIONS],
  ['POST', '//evil.example/api/vault/get-secrets', APPLICATIONS],
  ['GET', '/api/admin/nope', ADMIN],
  ['GET', '/api/administration', APPLICATIONS],
])('%s %s returns the envelope with 404 and where to find the routes', async (method, path, hint) => {
  const response = await fetch(instance.url + path, { method });
  expect([response.status, response.headers.get('cuevault-error')]).toEqual([404, 'route_not_found']);
  expect(await response.json()).toEqual({
    err: expect.stringMatching(new RegExp(`^There is no .*\\. ${hint.replaceAll('.', '\\.')}$`)),
    res: null,
  });
});

test.each([
  ['GET', '/api/prompt/get-compiled', 'POST'],
  ['PUT', '/api/vault/get-secrets', 'POST'],
  ['PATCH', '/api/admin/prompts/prm_1', 'DELETE, GET'],
])('%s %s returns the envelope with 405 and the allowed methods', async (method, path, allow) => {
  const response = await fetch(instance.url + path, { method });
  expect([response.status, response.headers.get('cuevault-error'), response.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    allow,
  ]);
  expect(await response.json()).toEqual({
    err: `${path} does not support ${method}. Use ${allow}.`,
    res: null,
  });
});
