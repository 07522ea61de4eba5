import { operatorsUpdate } from '../../../contract/endpoints/service.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { connectUserPool, type OperatorChange, updateOperator } from '../../store/operators/changes.ts';

const pool = connectUserPool();

export const handler = changeEndpoint(
  operatorsUpdate,
  async ({ table, params: { operatorId }, body, change }) => ({
    // It has exactly one field.
    operator: await updateOperator({ table, pool }, change, operatorId, body as OperatorChange),
  }),
);
