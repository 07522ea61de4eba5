import { secretsGet } from '../../../contract/endpoints/secrets.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { createSecretDetails } from '../../store/views/secret-rows.ts';

const table = connectTable();
const detailsOf = createSecretDetails(table);

export const handler = operatorEndpoint(secretsGet, table, async ({ params: { secretId }, query, at }) =>
  detailsOf(vaultIn(table, query.environment), secretId, at),
);
