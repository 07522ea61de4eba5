import { existsSync } from 'node:fs';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { testOperatorsKeptOut } from '../support/operator-security.ts';

const forOperators = ENDPOINTS.filter(({ access }) => access.kind === 'operator');

describe('endpoints for applications', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openInstance();
  });
  afterAll(() => instance.stop());

  testOperatorsKeptOut(() => instance);
});

test.each(ENDPOINTS)('$id has a handler and tests of its own name', ({ id }) => {
  expect(existsSync(`lambdas/endpoints/${id}.ts`)).toBe(true);
  expect(existsSync(`test/endpoints/${id}`)).toBe(true);
});

test.each(forOperators)(
  '$id reads with GET, and changes something only as an editor or an administrator',
  (endpoint) => {
    const role = endpoint.access.kind === 'operator' ? endpoint.access.role : undefined;
    expect(role === 'viewer').toBe(endpoint.route?.method === 'GET');
  },
);

test.each(forOperators)('$id has no right on the key of the vault', ({ grants }) => {
  expect(grants.filter(({ on }) => on === 'vault-key')).toEqual([]);
});
