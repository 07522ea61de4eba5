import { secretsRestore } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { restoreSecret } from '../../store/secrets/removals.ts';

export const handler = changeEndpoint(secretsRestore, async (call) => ({
  secret: await restoreSecret(call.vault, confirmedChange(call), call.params.secretId),
}));
