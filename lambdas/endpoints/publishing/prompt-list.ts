import { promptList } from '../../../contract/endpoints/publishing.ts';
import { publishingEndpoint } from '../../http/publishing-endpoint.ts';
import { withType } from '../../http/serializers/prompts.ts';
import { connectHotTable } from '../../store/batched-reads.ts';
import { listVisible } from '../../store/prompts/listing.ts';

const table = connectHotTable();

/** Returns one page of the prompts that the key may see. */
export const handler = publishingEndpoint(promptList, table, async ({ body, apiKey }) => {
  const { entries, ...page } = await listVisible(table, apiKey, body);
  return {
    ...page,
    prompts: entries.map(({ head, labelled }) => {
      const { name, type, latest, contentHash, labels, sources = [] } = withType(head);
      return { name, type, latest, contentHash, labels, sources, labelled };
    }),
  };
});
