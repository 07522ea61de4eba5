import { versionsList } from '../../../contract/endpoints/versions/versions-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { withType } from '../../http/serializers/prompts.ts';
import { connectTable } from '../../store/table.ts';
import { listVersionRows } from '../../store/views/prompt-fetches.ts';

const table = connectTable();

/** Returns one page of the versions of a prompt, with their labels and their usage. */
export const handler = operatorEndpoint(versionsList, async ({ params, query: { limit, cursor }, at }) => {
  const { items, ...rest } = await listVersionRows(table, params.promptId, at, limit, cursor);
  return { ...rest, versions: items.map(withType) };
});
