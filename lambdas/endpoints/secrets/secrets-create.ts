import { secretsCreate } from '../../../contract/endpoints/secrets/secrets-create.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { createSecret } from '../../store/secrets/secrets.ts';

export const handler = changeEndpoint(secretsCreate, async ({ table, body, change }) => ({
  secret: await createSecret(table, change, body),
}));
