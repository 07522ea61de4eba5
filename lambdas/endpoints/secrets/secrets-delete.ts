import { secretsDelete } from '../../../contract/endpoints/secrets.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { deleteSecret } from '../../store/secrets/removals.ts';

export const handler = changeEndpoint(secretsDelete, async ({ vault, params: { secretId }, at, change }) => {
  const { key } = await deleteSecret(vault, change, secretId);
  return { secretId, key, restorableUntil: restorableUntil(at.toISOString()) };
});
