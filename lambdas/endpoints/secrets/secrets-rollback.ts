import { secretsRollback } from '../../../contract/endpoints/secrets/secrets-rollback.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { rollbackSecret } from '../../store/secrets/secrets.ts';

export const handler = changeEndpoint(
  secretsRollback,
  async ({ table, params: { secretId }, body, change }) => ({
    secret: await rollbackSecret(table, change, secretId, body.number, body),
  }),
);
