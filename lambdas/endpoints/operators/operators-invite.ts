import { operatorsInvite } from '../../../contract/endpoints/operators/operators-invite.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { connectUserPool, inviteOperator } from '../../store/operators/changes.ts';

const pool = connectUserPool();

export const handler = changeEndpoint(operatorsInvite, async ({ table, body: { email, group }, change }) => ({
  operator: await inviteOperator({ table, pool }, change, email, group),
}));
