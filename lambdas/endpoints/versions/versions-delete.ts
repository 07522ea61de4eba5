import { versionsDelete } from '../../../contract/endpoints/versions/versions-delete.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { deleteVersion } from '../../store/prompts/publishing.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';
import { requireVersionUnused } from '../../store/views/deletion-guard.ts';

const table = connectSigningTable();

/** Deletes a version; if it is in use, only with confirmation. */
export const handler = operatorEndpoint(versionsDelete, async ({ params, query, at, change }) => {
  const { promptId, version } = params;
  if (query.confirm !== true) await requireVersionUnused(table, promptId, version, at);
  return { prompt: promptOf(await deleteVersion(table, change, promptId, version, query)) };
});
