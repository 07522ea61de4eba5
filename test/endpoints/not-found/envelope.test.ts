import { openInstance, type TestInstance } from '../../support/instance.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.stop());

test.each([
  ['GET', '/nowhere'],
  ['GET', '/api/prompt/get-compiled'],
  ['PUT', '/api/vault/get-secrets'],
  ['POST', '/api/vault/get-secrets/'],
  ['DELETE', '/%E0%A4%A'],
  ['POST', '//evil.example/api/vault/get-secrets'],
])('%s %s gets the envelope with 404 and the routes there are', async (method, path) => {
  const response = await fetch(instance.url + path, { method });
  expect([response.status, response.headers.get('cuevault-error')]).toEqual([404, 'route_not_found']);
  expect(await response.json()).toEqual({
    err: expect.stringContaining('POST /api/prompt/get-compiled'),
    res: null,
  });
});
