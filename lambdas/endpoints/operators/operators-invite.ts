import { operatorsInvite } from '../../../contract/endpoints/operators/operators-invite.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { connectUserPool, inviteOperator } from '../../store/operators/changes.ts';

const stores = { table: connectTable(), pool: connectUserPool() };

export const handler = operatorEndpoint(operatorsInvite, async ({ body: { email, group }, change }) => ({
  operator: await inviteOperator(stores, change, email, group),
}));
