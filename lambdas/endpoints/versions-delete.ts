import { versionsDelete } from '../../contract/endpoints/versions-delete.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { promptOf } from '../http/presented.ts';
import { requireVersionUnused } from '../store/deletion-guard.ts';
import { deleteVersion } from '../store/prompt-publishing.ts';
import { connectTable } from '../store/table.ts';

const table = connectTable();

/** Deletes a version; one that is in use only when that was confirmed. */
export const handler = operatorEndpoint(versionsDelete, async ({ params, query, at, change }) => {
  const { promptId, version } = params;
  if (query.confirm !== true) await requireVersionUnused(table, promptId, version, at);
  return { prompt: promptOf(await deleteVersion(table, change, promptId, version, query)) };
});
