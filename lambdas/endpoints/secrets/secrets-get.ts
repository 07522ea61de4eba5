import { secretsGet } from '../../../contract/endpoints/secrets.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { createSecretDetails } from '../../store/views/secret-rows.ts';

const table = connectTable();
const detailsOf = createSecretDetails(table);

export const handler = operatorEndpoint(secretsGet, table, async ({ vault, params: { secretId }, at }) =>
  detailsOf(vault, secretId, at),
);
