import { operatorsUpdate } from '../../../contract/endpoints/service.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { connectUserPool, type OperatorChange, updateOperator } from '../../store/operators/changes.ts';

const pool = connectUserPool();

export const handler = changeEndpoint(
  operatorsUpdate,
  async ({ table, params: { operatorId }, body: { group, enabled }, change }) => {
    const wanted: OperatorChange =
      group !== undefined ? { group } : enabled !== undefined ? { enabled } : { resetSignIn: true };
    return { operator: await updateOperator({ table, pool }, change, operatorId, wanted) };
  },
);
