import { operatorsList } from '../../../contract/endpoints/service.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectUserPool, listOperators } from '../../store/operators/changes.ts';
import { readSignIns } from '../../store/operators/sign-ins.ts';

const pool = connectUserPool();

export const handler = readEndpoint(operatorsList, async ({ table, at }) => {
  const [operators, signIns] = await Promise.all([listOperators({ table, pool }, at), readSignIns(table)]);
  return {
    operators: operators.map((row) => ({ ...row, signedInAt: signIns.get(row.operatorId) })),
  };
});
