import { operatorsList } from '../../../contract/endpoints/operators/operators-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { mapAwsErrors } from '../../store/failures.ts';
import { connectUserPool } from '../../store/operators/changes.ts';
import { listOperators } from '../../store/operators/user-pool.ts';

const pool = connectUserPool();

export const handler = operatorEndpoint(operatorsList, async () => ({
  operators: await mapAwsErrors(listOperators(pool)),
}));
