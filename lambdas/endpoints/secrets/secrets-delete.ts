import { secretsDelete } from '../../../contract/endpoints/secrets/secrets-delete.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { deleteSecret } from '../../store/secrets/removals.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Deletes a secret. */
export const handler = operatorEndpoint(secretsDelete, async ({ params: { secretId }, at, change }) => {
  const { key } = await deleteSecret(table, change, secretId);
  return { secretId, key, restorableUntil: restorableUntil(at.toISOString()) };
});
