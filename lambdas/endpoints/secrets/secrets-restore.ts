import { secretsRestore } from '../../../contract/endpoints/secrets/secrets-restore.ts';
import { confirmedChange, operatorEndpoint } from '../../http/operator-endpoint.ts';
import { restoreSecret } from '../../store/secrets/removals.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Restores a deleted secret. */
export const handler = operatorEndpoint(secretsRestore, async (call) => ({
  secret: await restoreSecret(table, confirmedChange(call), call.params.secretId),
}));
