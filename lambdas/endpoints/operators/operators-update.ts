import { operatorsUpdate } from '../../../contract/endpoints/operators/operators-update.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { connectUserPool, type OperatorChange, updateOperator } from '../../store/operators/changes.ts';

const stores = { table: connectTable(), pool: connectUserPool() };

export const handler = operatorEndpoint(
  operatorsUpdate,
  async ({ params: { operatorId }, body: { group, enabled }, change }) => {
    const wanted: OperatorChange =
      group !== undefined ? { group } : enabled !== undefined ? { enabled } : { resetSignIn: true };
    return { operator: await updateOperator(stores, change, operatorId, wanted) };
  },
);
