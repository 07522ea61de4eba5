import { globSync } from 'node:fs';
import type { Endpoint } from '../../contract/endpoint.ts';
import { operatorsList } from '../../contract/endpoints/operators/operators-list.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import { forgedToken } from '../support/operators.ts';
import { testOperatorsKeptOut, testRoles } from '../support/scenarios/operator-security.ts';
import { type SharedInstance, sharedInstance } from '../support/shared/instance.ts';

const forOperators = ENDPOINTS.filter(({ access }) => access.kind === 'operator');

let instance: SharedInstance;
let forged: string;
beforeAll(async () => {
  instance = await sharedInstance();
  forged = await forgedToken(instance);
});

describe('endpoints for applications', () => testOperatorsKeptOut(() => instance));

describe.each(forOperators)('$id', (endpoint) => testRoles(endpoint, () => instance));

describe('the function of an endpoint that is invoked directly, with invented claims', () => {
  const claims = { token_use: 'access', email: 'eve@example.com', 'cognito:groups': '[admin]' };
  const statusOf = async ({ id, examples: [example] }: Endpoint, token?: string) => {
    const outcome = await instance.invoke(id, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      requestContext: { authorizer: { jwt: { claims, scopes: [ADMIN_SCOPE] } } },
      pathParameters: example?.params,
      queryStringParameters: example?.query,
      body: JSON.stringify(example?.body),
    });
    return (outcome as { reply?: { statusCode: number } }).reply?.statusCode;
  };

  test.each(forOperators)('$id admits nobody without a token that the issuer signed', async (endpoint) => {
    expect(await statusOf(endpoint)).toBe(403);
    expect(await statusOf(endpoint, forged)).toBe(403);
  });
});

test.each(ENDPOINTS)('$id has a handler and tests of the same name', ({ id }) => {
  expect(globSync(`lambdas/endpoints/**/${id}.ts`)).toHaveLength(1);
  expect(globSync([`test/endpoints/**/${id}.test.ts`, `test/endpoints/${id}/*.test.ts`])).not.toEqual([]);
});

test.each(forOperators)(
  '$id reads with GET, and changes something only as an editor or an administrator',
  (endpoint) => {
    const role = endpoint.access.kind === 'operator' ? endpoint.access.role : undefined;
    // Only administrators see who the operators are.
    const isRead = role === 'viewer' || endpoint === operatorsList;
    expect(isRead).toBe(endpoint.route?.method === 'GET');
  },
);

test.each(forOperators)('$id has no permission on the KMS key of the vault', ({ grants }) => {
  expect(grants.filter(({ on }) => on === 'vault-key')).toEqual([]);
});
