import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { retryWhileDenied } from '../core/cloudformation.ts';
import { log } from '../log.ts';
import { SYSTEM } from '../store/audit.ts';
import { addFirstOperator, connectUserPool } from '../store/operators/changes.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const stores = { table: connectSigningTable(), pool: connectUserPool() };

/**
 * Makes the operator in the settings an administrator unless one has already signed in, so that a later deployment does
 * not bring back an operator who was removed or demoted. Throws what Cognito and the table throw.
 */
export const handler = async (_: unknown, { awsRequestId: requestId }: { awsRequestId: string }) => {
  const email = process.env[ENVIRONMENT.operatorEmail] ?? '';
  const change = { at: new Date(), actor: SYSTEM, requestId, isAdmin: true };
  const invited = await retryWhileDenied(() => addFirstOperator(stores, change, email));
  log('info', 'first operator checked', { invited });
};
