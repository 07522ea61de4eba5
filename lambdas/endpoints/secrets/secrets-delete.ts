import { secretsDelete } from '../../../contract/endpoints/secrets.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { deleteSecret } from '../../store/secrets/removals.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(
  secretsDelete,
  async ({ table, params: { secretId }, query, at, change }) => {
    const { key } = await deleteSecret(vaultIn(table, query.environment), change, secretId);
    return { secretId, key, restorableUntil: restorableUntil(at.toISOString()) };
  },
);
