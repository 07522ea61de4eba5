import { vaultWhoHas } from '../../../contract/endpoints/vault.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { withinPage } from '../../core/lists/lists.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectVaultKms } from '../../store/vault-keys/kms.ts';
import { whoHas } from '../../store/views/who-has.ts';

const kms = connectVaultKms();

export const handler = readEndpoint(vaultWhoHas, async ({ table, body, change }) => {
  const { found, unopened } = await whoHas(table, kms, change, body);
  return { found: withinPage(found, LIMITS.pageBytes), total: found.length, unopened };
});
