import { operatorsInvite } from '../../../contract/endpoints/service.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { assertValid } from '../../core/errors.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { connectUserPool, inviteOperators } from '../../store/operators/changes.ts';

const pool = connectUserPool();

export const handler = changeEndpoint(operatorsInvite, ({ table, body, change }) => {
  const { emails, group, signIn = 'password' } = body;
  assertValid(
    signIn === 'password' || process.env[ENVIRONMENT.companyClient] !== undefined,
    'Nobody signs in through a company here. The settings "signInIssuer", "signInClientId" and "signInSecretArn" set it up.',
  );
  return inviteOperators({ table, pool }, change, emails, group, signIn);
});
