import { secretsRollback } from '../../../contract/endpoints/secrets/secrets-rollback.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { rollbackSecret } from '../../store/secrets/secrets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Makes an earlier value of a secret the current one again. */
export const handler = operatorEndpoint(secretsRollback, async ({ params: { secretId }, body, change }) => ({
  secret: await rollbackSecret(table, change, secretId, body.number, body),
}));
