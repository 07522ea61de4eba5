import { secretsPreviewReaders } from '../../../contract/endpoints/secrets.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { readersWithTags } from '../../store/views/secret-readers.ts';

export const handler = readEndpoint(
  secretsPreviewReaders,
  async ({ table, body: { environment, tags }, at }) => ({
    readers: await readersWithTags(vaultIn(table, environment), [tags], at),
  }),
);
