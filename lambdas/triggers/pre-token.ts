import type { Context, PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { type CompanyProvider, OPERATOR_CLAIM } from '../../contract/sign-in.ts';
import { operatorOf, type Person } from '../store/operators/people.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import type { Table } from '../store/table.ts';

type Attributes = PreTokenGenerationV2TriggerEvent['request']['userAttributes'];

let connected: Table | undefined;

// Without company sign-in, the function has no table.
const table = (): Table => {
  connected ??= connectSigningTable();
  return connected;
};

// Not the name of the user, which the pool writes in lower case.
const personIn = ({ identities, email = '', email_verified: verified }: Attributes): Person | undefined => {
  if (identities === undefined) return undefined;
  const company = JSON.parse(process.env[ENVIRONMENT.companyProvider] ?? '{}') as CompanyProvider;
  const identity = (JSON.parse(identities) as { providerName: string; userId: string }[]).find(
    ({ providerName }) => providerName === company.provider,
  );
  return identity && { ...company, userId: identity.userId, email, isVerified: verified === 'true' };
};

const claimsFor = async (attributes: Attributes, requestId: string): Promise<Record<string, string>> => {
  const { email, email_verified: verified, 'cognito:user_status': status } = attributes;
  if (status !== 'EXTERNAL_PROVIDER') return email !== undefined && verified === 'true' ? { email } : {};
  const person = personIn(attributes);
  const operator = person && (await operatorOf(table(), person, { at: new Date(), requestId }));
  return operator === undefined ? {} : { email: operator.email, [OPERATOR_CLAIM]: operator.operatorId };
};

/**
 * Adds claims to the access token: the verified address of somebody with a password; for a person of the company, the
 * operator who they are. Whoever is no operator gets none, and is refused by every function. The tokens are otherwise
 * unchanged.
 */
export const handler = async (
  event: PreTokenGenerationV2TriggerEvent,
  { awsRequestId }: Pick<Context, 'awsRequestId'>,
): Promise<PreTokenGenerationV2TriggerEvent> => {
  const claims = await claimsFor(event.request.userAttributes, awsRequestId);
  if (Object.keys(claims).length === 0) return event;
  event.response = {
    claimsAndScopeOverrideDetails: { accessTokenGeneration: { claimsToAddOrOverride: claims } },
  };
  return event;
};
