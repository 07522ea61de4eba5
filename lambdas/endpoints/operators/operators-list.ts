import { operatorsList } from '../../../contract/endpoints/service.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectUserPool, listOperators } from '../../store/operators/changes.ts';

const pool = connectUserPool();

export const handler = readEndpoint(operatorsList, async ({ table, at }) => ({
  operators: await listOperators({ table, pool }, at),
}));
