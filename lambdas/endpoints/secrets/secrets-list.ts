import { secretsList } from '../../../contract/endpoints/secrets/secrets-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { createLastReads, listSecretRows } from '../../store/views/secret-rows.ts';

const table = connectTable();
const lastReads = createLastReads(table);

export const handler = operatorEndpoint(secretsList, table, async ({ query, at }) => {
  const { entries, ...rest } = await listSecretRows(vaultIn(table, query.environment), lastReads, at, query);
  return { ...rest, secrets: entries };
});
