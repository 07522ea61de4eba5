import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { handler } from '../../lambdas/triggers/pre-token.ts';

const newEvent = (userAttributes: Record<string, string>): PreTokenGenerationV2TriggerEvent => ({
  version: '2',
  triggerSource: 'TokenGeneration_RefreshTokens',
  region: 'eu-central-1',
  userPoolId: 'eu-central-1_example',
  userName: '5f1d2c3b',
  callerContext: { awsSdkVersion: 'any', clientId: 'client' },
  request: { userAttributes, groupConfiguration: {} },
  response: { claimsAndScopeOverrideDetails: {} },
});

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
