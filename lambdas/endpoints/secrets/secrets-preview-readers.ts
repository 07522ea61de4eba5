import { secretsPreviewReaders } from '../../../contract/endpoints/secrets/secrets-preview-readers.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { readersWithTags } from '../../store/views/secret-readers.ts';

const table = connectTable();

/** Returns the API keys that could read a secret with the given tags. */
export const handler = operatorEndpoint(secretsPreviewReaders, async ({ body: { tags }, at }) => ({
  readers: await readersWithTags(table, tags, at),
}));
