import { secretsUpdate } from '../../../contract/endpoints/secrets/secrets-update.ts';
import { confirmedChange, operatorEndpoint } from '../../http/operator-endpoint.ts';
import { updateSecret } from '../../store/secrets/secrets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Changes the value or the tags of a secret, or both. */
export const handler = operatorEndpoint(secretsUpdate, async (call) => ({
  secret: await updateSecret(table, confirmedChange(call), call.params.secretId, call.body),
}));
