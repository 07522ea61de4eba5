import { revisionsList } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { listRevisionRows } from '../../store/views/revision-rows.ts';

export const handler = readEndpoint(revisionsList, async ({ vault, query, at }) => {
  const { entries, ...rest } = await listRevisionRows(vault, at, query);
  return { ...rest, revisions: entries };
});
