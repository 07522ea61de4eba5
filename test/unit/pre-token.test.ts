import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { handler } from '../../lambdas/triggers/pre-token.ts';

const newEvent = (userAttributes: Record<string, string>) =>
  ({
    request: { userAttributes },
    response: { claimsAndScopeOverrideDetails: {} },
  }) as PreTokenGenerationV2TriggerEvent;

const CONTEXT = { awsRequestId: 'request' };

const verified = { sub: '5f1d2c3b', email: 'ada@example.com', email_verified: 'true' };

test('only the access token gets the verified address', async () => {
  const { response } = await handler(newEvent(verified), CONTEXT);
  expect(response).toEqual({
    claimsAndScopeOverrideDetails: {
      accessTokenGeneration: { claimsToAddOrOverride: { email: 'ada@example.com' } },
    },
  });
});

test.each([
  ['is not verified', { ...verified, email_verified: 'false' }],
  ['says nothing of being verified', { sub: '5f1d2c3b', email: 'ada@example.com' }],
  ['is absent', { sub: '5f1d2c3b', email_verified: 'true' }],
])('an address that %s is not added', async (_case, attributes) => {
  const event = newEvent(attributes);
  await expect(handler(event, CONTEXT)).resolves.toEqual(newEvent(attributes));
});
