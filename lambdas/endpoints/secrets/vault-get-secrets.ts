import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { connectHotTable } from '../../store/batched-reads.ts';
import { createVaultReader } from '../../store/secrets/reader.ts';
import { requireEnvironment } from '../../store/vault/environments.ts';
import { connectVaultKms } from '../../store/vault-keys/kms.ts';

const table = connectHotTable();
const vault = createVaultReader(table, connectVaultKms());

/** Returns the secrets that match the filter and the key's restriction, all from one revision or none. */
export const handler = keyEndpoint(vaultGetSecrets, table, async ({ body, admitted, ...request }) => {
  const { environment } = body;
  const [apiKey, head] = await admitted(vault.head(environment));
  requireEnvironment(apiKey, environment);
  return vault.read(head, {
    ...request,
    environment,
    caller: { apiKeyId: apiKey.keyId, apiKeyName: apiKey.name, restriction: apiKey.tags },
    filter: body,
  });
});
