import { secretsRestore } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { restoreSecret } from '../../store/secrets/removals.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(secretsRestore, async (call) => ({
  secret: await restoreSecret(
    vaultIn(call.table, call.query.environment),
    confirmedChange(call),
    call.params.secretId,
  ),
}));
