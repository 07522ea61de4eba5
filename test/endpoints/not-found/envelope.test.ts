import { type SharedInstance, sharedInstance } from '../../support/shared/instance.ts';

let instance: SharedInstance;
beforeAll(async () => {
  instance = await sharedInstance();
});

test.each([
  ['GET', '/nowhere'],
  ['POST', '/api/vault/get-secrets/'],
  ['DELETE', '/%E0%A4%A'],
  ['POST', '//evil.example/api/vault/get-secrets'],
])('%s %s returns the envelope with 404 and the available routes', async (method, path) => {
  const response = await fetch(instance.url + path, { method });
  expect([response.status, response.headers.get('cuevault-error')]).toEqual([404, 'route_not_found']);
  expect(await response.json()).toEqual({
    err: expect.stringContaining('POST /api/prompt/get-compiled'),
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
