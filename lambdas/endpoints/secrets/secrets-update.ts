import { secretsUpdate } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { updateSecret } from '../../store/secrets/secrets.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(secretsUpdate, async (call) => ({
  secret: await updateSecret(
    vaultIn(call.table, call.body.environment),
    confirmedChange(call),
    call.params.secretId,
    call.body,
  ),
}));
