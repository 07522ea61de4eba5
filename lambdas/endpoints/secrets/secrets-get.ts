import { secretsGet } from '../../../contract/endpoints/secrets/secrets-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { createSecretDetails } from '../../store/views/secret-rows.ts';

const table = connectTable();
const detailsOf = createSecretDetails(table);

export const handler = operatorEndpoint(secretsGet, async ({ params: { secretId }, at }) =>
  detailsOf(secretId, at),
);
