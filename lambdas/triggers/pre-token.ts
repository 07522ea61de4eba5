import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda';

/**
 * Adds the claim `email` to the access token of an operator if the address is verified; endpoints write it to the audit
 * log. The tokens are otherwise unchanged.
 */
export const handler = async (
  event: PreTokenGenerationV2TriggerEvent,
): Promise<PreTokenGenerationV2TriggerEvent> => {
  const { email, email_verified: verified } = event.request.userAttributes;
  if (email === undefined || verified !== 'true') return event;
  event.response = {
    claimsAndScopeOverrideDetails: {
      accessTokenGeneration: { claimsToAddOrOverride: { email } },
    },
  };
  return event;
};
