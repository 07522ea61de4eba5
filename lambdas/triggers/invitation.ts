import { randomBytes } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  type CognitoIdentityProviderClient,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../contract/endpoint.ts';

/** A random password of 144 bits that the pool's policy accepts. */
export const temporaryPassword = (): string => `${randomBytes(18).toString('base64url')}aA1!`;

export interface Invitation {
  readonly client: CognitoIdentityProviderClient;
  readonly userPoolId: string;
  readonly email: string;
  readonly group: Role;
}

/**
 * Creates an operator and adds them to the group; Cognito mails them the temporary password. The password is generated
 * here because Cognito may create a user without one if passwordless sign-in is enabled. Returns false if the operator
 * already exists, who is then only added to the group. Errors: those of Cognito.
 */
export const invite = async ({ client, userPoolId, email, group }: Invitation): Promise<boolean> => {
  let created = true;
  try {
    await client.send(
      new AdminCreateUserCommand({
        UserPoolId: userPoolId,
        Username: email,
        TemporaryPassword: temporaryPassword(),
        DesiredDeliveryMediums: ['EMAIL'],
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    created = false;
  }
  await client.send(
    new AdminAddUserToGroupCommand({ UserPoolId: userPoolId, Username: email, GroupName: group }),
  );
  return created;
};
