import { secretsRollback } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { rollbackSecret } from '../../store/secrets/secrets.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(
  secretsRollback,
  async ({ table, params: { secretId }, body, change }) => ({
    secret: await rollbackSecret(vaultIn(table, body.environment), change, secretId, body.number, body),
  }),
);
