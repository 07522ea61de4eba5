import { globSync } from 'node:fs';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { testOperatorsKeptOut, testRoles } from '../support/scenarios/operator-security.ts';
import { type SharedInstance, sharedInstance } from '../support/shared/instance.ts';

const forOperators = ENDPOINTS.filter(({ access }) => access.kind === 'operator');

let instance: SharedInstance;
beforeAll(async () => {
  instance = await sharedInstance();
});

describe('endpoints for applications', () => testOperatorsKeptOut(() => instance));

describe.each(forOperators)('$id', (endpoint) => testRoles(endpoint, () => instance));

test.each(ENDPOINTS)('$id has a handler and tests of the same name', ({ id }) => {
  expect(globSync(`lambdas/endpoints/**/${id}.ts`)).toHaveLength(1);
  expect(globSync([`test/endpoints/**/${id}.test.ts`, `test/endpoints/${id}/*.test.ts`])).not.toEqual([]);
});

test.each(forOperators)(
  '$id reads with GET, and changes something only as an editor or an administrator',
  (endpoint) => {
    const role = endpoint.access.kind === 'operator' ? endpoint.access.role : undefined;
    expect(role === 'viewer').toBe(endpoint.route?.method === 'GET');
  },
);

test.each(forOperators)('$id has no permission on the KMS key of the vault', ({ grants }) => {
  expect(grants.filter(({ on }) => on === 'vault-key')).toEqual([]);
});
