import { secretsCreate } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { createSecret } from '../../store/secrets/secrets.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(secretsCreate, async ({ table, body, change }) => ({
  secret: await createSecret(vaultIn(table, body.environment), change, body),
}));
