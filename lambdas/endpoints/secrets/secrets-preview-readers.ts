import { secretsPreviewReaders } from '../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { readersWithTags } from '../../store/views/secret-readers.ts';

export const handler = readEndpoint(secretsPreviewReaders, async ({ table, body: { tags }, at }) => ({
  readers: await readersWithTags(table, tags, at),
}));
