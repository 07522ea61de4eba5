import { secretsCreate } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { createSecret } from '../../store/secrets/secrets.ts';

export const handler = changeEndpoint(secretsCreate, async ({ vault, body, change }) => ({
  secret: await createSecret(vault, change, body),
}));
