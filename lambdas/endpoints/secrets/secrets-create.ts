import { secretsCreate } from '../../../contract/endpoints/secrets/secrets-create.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { createSecret } from '../../store/secrets/secrets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Stores a secret. */
export const handler = operatorEndpoint(
  secretsCreate,
  async ({ body: { key, value, tags = [] }, change }) => ({
    secret: await createSecret(table, change, { key, value, tags }),
  }),
);
