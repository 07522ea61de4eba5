import { secretsRollback } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { rollbackSecret } from '../../store/secrets/secrets.ts';

export const handler = changeEndpoint(
  secretsRollback,
  async ({ vault, params: { secretId }, body, change }) => ({
    secret: await rollbackSecret(vault, change, secretId, body.number, body),
  }),
);
