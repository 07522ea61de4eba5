import { secretsUpdate } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { updateSecret } from '../../store/secrets/secrets.ts';

export const handler = changeEndpoint(secretsUpdate, async (call) => ({
  secret: await updateSecret(call.vault, confirmedChange(call), call.params.secretId, call.body),
}));
