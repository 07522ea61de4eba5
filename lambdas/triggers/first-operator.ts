import {
  CognitoIdentityProviderClient,
  paginateListUsersInGroup,
} from '@aws-sdk/client-cognito-identity-provider';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { retryWhileDenied } from '../core/cloudformation/iam-delay.ts';
import { log } from '../log.ts';
import { invite } from '../store/operators/user-pool.ts';

const client = new CognitoIdentityProviderClient({});
const group = 'admin';

const hasAdministrator = async (userPoolId: string): Promise<boolean> => {
  const pages = paginateListUsersInGroup({ client }, { UserPoolId: userPoolId, GroupName: group });
  for await (const { Users = [] } of pages) {
    if (Users.some(({ UserStatus }) => UserStatus !== 'FORCE_CHANGE_PASSWORD')) return true;
  }
  return false;
};

/**
 * Invites the operator in the settings unless an administrator has already signed in, so that a later deployment does
 * not bring back an operator who was removed or demoted. Throws what Cognito throws.
 */
export const handler = async (): Promise<void> => {
  const { [ENVIRONMENT.userPool]: userPoolId = '', [ENVIRONMENT.operatorEmail]: email = '' } = process.env;
  const settled = await retryWhileDenied(() => hasAdministrator(userPoolId));
  const invited = !settled && (await invite({ client, userPoolId }, email, group));
  log('info', 'first operator checked', { invited });
};
