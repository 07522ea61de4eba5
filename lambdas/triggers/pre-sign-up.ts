import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { NOT_INVITED } from '../../contract/sign-in.ts';
import { connectTable } from '../store/connect.ts';
import { openInvitation } from '../store/operators/people.ts';

const table = connectTable();

/**
 * Runs before the user pool makes a profile of somebody who signs in through the company, and refuses whoever has no
 * open invitation. Administrators make users with a password, and nobody else may.
 */
export const handler = async (event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> => {
  const { triggerSource, request } = event;
  if (triggerSource === 'PreSignUp_AdminCreateUser') return event;
  const { email = '' } = request.userAttributes;
  const isInvited =
    triggerSource === 'PreSignUp_ExternalProvider' &&
    (await openInvitation(table, email, new Date())) !== undefined;
  if (!isInvited) throw new Error(NOT_INVITED);
  return event;
};
