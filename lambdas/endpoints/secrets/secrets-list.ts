import { secretsList } from '../../../contract/endpoints/secrets.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { currentVaults } from '../../store/vault/vaults.ts';
import { createLastReads, listSecretRows } from '../../store/views/secret-rows.ts';

const table = connectTable();
const lastReads = createLastReads(table);

export const handler = operatorEndpoint(secretsList, table, async ({ query, at }) => {
  const vaults = query.environment === '*' ? await currentVaults(table) : [vaultIn(table, query.environment)];
  const { entries, ...rest } = await listSecretRows(vaults, lastReads, at, query);
  return { ...rest, secrets: entries };
});
