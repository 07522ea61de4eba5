import { versionsList } from '../../../contract/endpoints/versions.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { withType } from '../../http/serializers/prompts.ts';
import { listVersionRows } from '../../store/views/prompt-page.ts';

export const handler = readEndpoint(versionsList, async ({ table, params, query: { limit, cursor }, at }) => {
  const { items, ...rest } = await listVersionRows(table, params.promptId, at, limit, cursor);
  return { ...rest, versions: items.map(withType) };
});
