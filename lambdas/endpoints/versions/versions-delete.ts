import { versionsDelete } from '../../../contract/endpoints/versions.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { deleteVersion } from '../../store/prompts/publishing.ts';
import { requireUnused } from '../../store/views/deletion-guard.ts';

export const handler = changeEndpoint(versionsDelete, async ({ table, params, query, at, change }) => {
  const { promptId, version } = params;
  if (query.confirm !== true) await requireUnused(table, promptId, at, version);
  return { prompt: promptOf(await deleteVersion(table, change, promptId, version, query)) };
});
